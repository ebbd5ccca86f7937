# Loads a URL with Net::HTTP; the proxy and the CA are those of the surroundings.
require "digest"
require "net/http"

uri = URI(ARGV.fetch(0))
proxy = uri.find_proxy
response = Net::HTTP.start(uri.host, uri.port, proxy&.host, proxy&.port, use_ssl: true) do |http|
  http.get(uri.request_uri, "Accept-Encoding" => "identity")
end
abort "status #{response.code}" unless response.code == "200"
puts "200 #{Digest::SHA256.hexdigest(response.body)}"
