<?php
// Prints each message of standard input, a line of hex each, in every style, and then a separator.
$styles = [
    'bin2hex' => fn($data) => bin2hex($data),
    'base64_encode' => fn($data) => base64_encode($data),
    'print_r of unpack' => fn($data) => print_r(unpack('C*', $data), true),
    'var_export of unpack' => fn($data) => var_export(unpack('C*', $data), true),
    'var_dump of an array' => function ($data) {
        ob_start();
        var_dump(array_values(unpack('C*', $data)));
        return ob_get_clean();
    },
    'json_encode of an array' => fn($data) => json_encode(array_values(unpack('C*', $data))),
    'addcslashes' => fn($data) => '"' . addcslashes($data, "\0..\37\"\\\177..\377") . '"',
];

while (($line = fgets(STDIN)) !== false) {
    $data = hex2bin(trim($line));
    foreach ($styles as $name => $show) {
        echo $name, "\x1f", $show($data), "\x1e";
    }
}
