#: before openssl x509
openssl req -x509 -newkey rsa:2048 -nodes -days 20 -keyout ca.key -out ca.pem -subj '/CN=Example Test CA'
openssl req -x509 -CA ca.pem -CAkey ca.key -newkey rsa:2048 -nodes -days 20 -keyout leaf.key -out leaf.pem \
    -subj /CN=api.example.test -addext subjectAltName=DNS:api.example.test -addext basicConstraints=critical,CA:FALSE \
    -addext extendedKeyUsage=serverAuth
cat leaf.pem ca.pem >chain.pem
cat leaf.pem leaf.key >identity.pem
#: before pinhole pins https
at 127.0.0.1 api.example.test
origin 443 --tls identity.pem '/ 200 text/plain x'
export SSL_CERT_FILE=$PWD/ca.pem
#: before pinhole pins check
unset SSL_CERT_FILE
cat >network_security_config.xml <<END
<network-security-config>
    <domain-config>
        <domain includeSubdomains="true">example.test</domain>
        <trust-anchors>
            <certificates src="system"/>
            <certificates src="user" overridePins="true"/>
        </trust-anchors>
        <pin-set expiration="$(date -d '+8 days' +%F)">
            <pin digest="SHA-256">$(pinhole pins leaf.pem --format raw | grep -o '[A-Za-z0-9+/]\{43\}=' | head -1)</pin>
        </pin-set>
    </domain-config>
</network-security-config>
END
#: before pinhole pins compare
first=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
second=AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=
cat >android.xml <<END
<network-security-config><domain-config><domain includeSubdomains="true">api.example.test</domain><pin-set>
<pin digest="SHA-256">$first</pin><pin digest="SHA-256">$second</pin></pin-set></domain-config></network-security-config>
END
cat >Info.plist <<END
<plist><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>api.example.test</key><dict>
<key>NSIncludesSubdomains</key><true/><key>NSPinnedLeafIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key>
<string>$first</string></dict></array></dict></dict></dict></dict></plist>
END
echo "api.example.test sha256/$first sha256/$second" >okhttp.txt
#: before pinhole pins check --recursive
mkdir -p project/app project/ios project/deploy
cat >project/app/Pins.kt <<END
object Pins {
    const val LEAF = "sha256/$first"
    const val BACKUP = "sha256/$second"
}
val pinner = CertificatePinner.Builder().add("api.example.test", Pins.LEAF, Pins.BACKUP).build()
val client = OkHttpClient.Builder().certificatePinner(pinner).build()
END
cat >project/ios/AppDelegate.swift <<END
TrustKit.initSharedInstance(withConfiguration: [
    kTSKPinnedDomains: [
        "api.example.test": [kTSKPublicKeyHashes: ["$first", "$second"]]
    ]
])
END
echo "curl --pinnedpubkey 'sha256//$first' https://api.example.test/health" >project/deploy/check.sh
#: before cat plan.json
mkdir -p 1.0 1.1
echo "api.example.test sha256/$first" >1.0/pins.txt
echo "api.example.test sha256/$first sha256/$second" >1.1/pins.txt
cat >plan.json <<END
{"host": "api.example.test", "until": "2026-12-31", "tolerance": 5,
 "server": [
   {"day": "2026-01-01", "keys": {"leaf": "sha256/$first"}, "expires": "2026-07-31"},
   {"day": "2026-06-01", "keys": {"leaf": "sha256/$second"}}],
 "releases": [
   {"day": "2026-01-01", "version": "1.0", "policy": "1.0/pins.txt"},
   {"day": "2026-05-01", "version": "1.1", "policy": "1.1/pins.txt"}]}
END
#: before pinhole pins check policy.json
echo '{"mechanism": "anchors-only", "policy": {"anchors": ["/etc/ssl/certs/ca-certificates.crt"]}}' >policy.json
