// A button in the corner of each block that copies it; of a session the commands alone.
document.addEventListener("DOMContentLoaded", () => {
  for (const block of document.querySelectorAll("article .highlight pre")) {
    const button = document.createElement("button");
    button.className = "copy";
    button.type = "button";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy this example");
    button.addEventListener("click", async () => {
      const lines = block.textContent.split("\n");
      const commands = lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
      const text = commands.length ? commands.join("\n") : block.textContent;
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Press Ctrl+C";
        const range = document.createRange();
        range.selectNodeContents(block);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
      }
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
    block.parentElement.append(button);
  }
});
