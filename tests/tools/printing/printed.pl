# Prints each message of standard input, a line of hex each, in every style, and then a separator.
use strict;
use warnings;
use Data::Dumper;
$Data::Dumper::Useqq = 1;

my @styles = (
    ['Data::Dumper with Useqq', sub { Dumper($_[0]) }],
    ['Data::Dumper of unpack', sub { Dumper([unpack('C*', $_[0])]) }],
    ['unpack H*', sub { unpack('H*', $_[0]) }],
);

while (my $line = <STDIN>) {
    chomp $line;
    my $data = pack('H*', $line);
    print $_->[0], "\x1f", $_->[1]->($data), "\x1e" for @styles;
}
