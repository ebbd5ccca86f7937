<?php
// Loads a URL with a stream of PHP; the proxy and the CA are those of the surroundings.
$proxy = preg_replace('~^http://|/$~', '', getenv('HTTPS_PROXY'));
$http = $proxy ? ['proxy' => "tcp://$proxy"] : [];
// Another status than success is a failure, too.
$body = file_get_contents($argv[1], false, stream_context_create(['http' => $http]));
if ($body === false) {
    exit(1);
}
echo '200 ', hash('sha256', $body), "\n";
