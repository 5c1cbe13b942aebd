#!/usr/bin/perl
# A decoder and encoder of the consumer protocol in Perl, with one fault by its number: adapter.pl 7.
# Without a number there is none. Written from docs/reference/conform.md and adapters.md.
use strict;
use warnings;
use JSON::PP;
use MIME::Base64 qw(encode_base64 decode_base64);
use Encode qw(decode encode);

my $fault = shift // 0;
my $json  = JSON::PP->new->utf8->canonical->allow_nonref;
my ( $data, $pos );
$| = 1;

sub refuse { die { refused => shift } }

sub take {
    my $size = shift;
    refuse("$size bytes wanted at $pos") if $size < 0 || $pos + $size > length $data;
    my $bytes = substr $data, $pos, $size;
    $pos += $size;
    return $bytes;
}
sub int16 { my $n = unpack 'n', take(2); return $n >= 0x8000 && $fault != 1 ? $n - 0x10000 : $n }

sub int32 {
    my $n = unpack 'N', take(4);
    return $n >= 0x80000000 && $fault != 2 ? $n - 0x100000000 : $n;
}

sub text { return decode( 'UTF-8', shift ) }    # with U+FFFD for what is wrong

sub string {
    my $size = int16();
    if ( $size < 0 ) { return '' if $fault == 3; refuse('null string') }
    my $bytes = take($size);
    $bytes =~ s/\0.*//s if $fault == 4;
    return text($bytes);
}

sub nullable_string {
    my $size = int16();
    return $size < 0 ? undef : text( take($size) );
}

sub array {
    my $read  = shift;
    my $count = int32();
    if ( $count < 0 ) { return [] if $fault == 5; refuse('null array') }
    refuse("$count elements") if $count > length($data) - $pos;
    return [ map { $read->() } 1 .. $count ];
}

sub blob {
    my $size = int32();
    return undef if $size < 0 || ( $fault == 6 && $size == 0 );
    $size = length($data) - $pos if $fault == 7 && $size > length($data) - $pos;
    return encode_base64( take($size), '' );
}

sub entries {
    my $list = array( sub {
        my $topic = string();
        return { topic => $topic, partitions => array( \&int32 ) };
    } );
    if ( $fault == 8 ) {    # a hash by topic, as Perl programs like
        my %last = map { $_->{topic} => $_ } @$list;
        $list = [ map { $last{$_} } sort keys %last ];
    }
    return $list;
}

sub decode_message {
    my ( $name, $bytes ) = @_;
    ( $data, $pos ) = ( $bytes, 0 );
    my $label = int16();
    refuse("version $label") if $label < 0 || ( $fault == 9 && $label > 3 );
    my %value;
    if ( $name eq 'ConsumerProtocolAssignment' ) {
        $value{assignedPartitions} = entries();
        $value{userData} = blob();
    }
    else {
        my $version = $fault == 10 ? ( $label > 3 ? 1 : $label ) : $label;
        $value{topics}          = array( \&string );
        $value{userData}        = blob();
        $value{ownedPartitions} = $version >= 1 ? entries() : [];
        $value{generationId}    = $version >= 2 ? int32() : ( $fault == 11 ? 0 : -1 );
        $value{rackId}          = $version >= 3 ? nullable_string() : undef;
    }
    refuse('bytes left over') if $fault == 12 && $pos < length $data;
    return { version => $label, value => \%value, remainder => unpack 'H*', substr $data, $pos };
}

sub put_number {
    my ( $format, $low, $high, $number ) = @_;
    refuse("$number does not fit") if ( $number < $low || $number > $high ) && $fault != 13;
    return pack $format, $number;
}
sub put16 { return put_number( 's>', -0x8000, 0x7fff, shift ) }
sub put32 { return put_number( 'l>', -0x80000000, 0x7fffffff, shift ) }

sub put_string {
    my $text = shift;
    return put16(-1) unless defined $text;
    my $bytes = encode( 'UTF-8', $text );
    return put16( $fault == 14 ? length $text : length $bytes ) . $bytes;
}

sub put_array {
    my ( $write, $list ) = @_;
    return put32( scalar @$list ) . join '', map { $write->($_) } @$list;
}

sub put_entries {
    return put_array( sub {
        my $entry = shift;
        return put_string( $entry->{topic} ) . put_array( \&put32, $entry->{partitions} );
    }, shift // [] );
}

sub put_blob {
    my $text = shift;
    return put32(-1) unless defined $text && !( $fault == 15 && $text eq '' );
    my $bytes = decode_base64($text);
    return put32( length $bytes ) . $bytes;
}

sub encode_message {
    my ( $name, $version, $value ) = @_;
    if ( $version < 0 || $version > 3 ) {
        refuse("version $version") unless $fault == 16;
        $version = 3;
    }
    my $label = put16( $fault == 17 ? 3 : $version );
    if ( $name eq 'ConsumerProtocolAssignment' ) {
        return $label . put_entries( $value->{assignedPartitions} ) . put_blob( $value->{userData} );
    }
    my $bytes = $label . put_array( \&put_string, $value->{topics} ) . put_blob( $value->{userData} );
    $bytes .= put_entries( $value->{ownedPartitions} ) if $version >= 1;
    $bytes .= put32( $value->{generationId} // -1 )    if $version >= 2;
    $bytes .= put_string( $value->{rackId} )           if $version >= 3;
    return $bytes;
}

my @names = qw(ConsumerProtocolSubscription ConsumerProtocolAssignment);
while ( my $line = <STDIN> ) {
    my $question = $json->decode($line);
    my $answer   = eval {
        my $op = $question->{op};
        $op eq 'hello' ? { protocol => 1, client => 'perl', release => "$fault", names => \@names,
            ops => [qw(decode encode)] }
        : $op eq 'decode' ? decode_message( $question->{name}, pack 'H*', $question->{hex} )
        : { hex => unpack 'H*', encode_message( @$question{qw(name version value)} ) };
    };
    if ($answer) { $answer->{ok} = JSON::PP::true }
    else {
        my $error = ref $@ ? "Refused: $@->{refused}" : "Died: $@";
        $answer = { ok => JSON::PP::false, error => $error };
    }
    $answer->{id} = $question->{id};
    print $json->encode($answer), "\n";
}
