# Loads a URL with HTTP::Tiny and its check of certificates; the proxy and the CA are those of the surroundings.
use strict;
use warnings;
use Digest::SHA qw(sha256_hex);
use HTTP::Tiny;

my $client = HTTP::Tiny->new(verify_SSL => 1, SSL_options => {SSL_ca_file => $ENV{SSL_CERT_FILE}});
my $response = $client->get($ARGV[0]);
die "status $response->{status}: $response->{content}\n" unless $response->{status} == 200;
print "200 ", sha256_hex($response->{content}), "\n";
