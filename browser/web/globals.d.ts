/** The script of a simulation, which build.py puts here: it plays the page in a frame. */
declare function play(frame: Document): void;
