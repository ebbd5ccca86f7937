import PinholeFiles
import PinholeModel
import PinholeSource
import PinholeTrust
import Testing

@testable import PinholePolicies

/// Elixir and Erlang, Lua, Terraform, proxies of development servers, and Android manifests.
@Suite("Kinds that verify nothing by a setting")
struct UnverifiedKindsTests {
    /// The findings of a file, without those that say that it holds no policy: code and line.
    private func read(_ name: String, _ text: String) -> [String] {
        var options = PolicyFile.Options()
        options.name = name
        let (file, read) = PolicyFile.examine(Array(text.utf8), options: options, files: .memory([:]))
        let lint = PolicyLint(time: Timestamp(seconds: 1_795_000_000))
        let findings =
            read.filter { $0.code != .unreadable } + (file?.policies.flatMap { lint.findings(for: $0) } ?? [])
        return findings.filter { $0.severity != .hint }.map { finding in
            let code = finding.severity == .unproven ? "not proven" : finding.code.rawValue
            return "\(code) at \(finding.path)"
        }
    }

    @Test(
        "options of Erlang's ssl are read in Elixir and in Erlang",
        arguments: [
            ("a.ex", "HTTPoison.get(u, [], ssl: [verify: :verify_none])", ["acceptsEverything at line 1"]),
            (
                "a.exs", "config :app, ssl_opts: [\n  {:verify, :verify_none}\n]",
                ["acceptsEverything at line 2"]
            ),
            ("a.erl", "ssl:connect(Host, 443, [{verify, verify_none}]).", ["acceptsEverything at line 1"]),
            ("a.erl", "ssl:connect(H, 443, [{'verify', 'verify_none'}]).", ["acceptsEverything at line 1"]),
            ("a.erl", "io:format(\"verify_none\"), [{verify, verify_peer}].", []),
            ("a.erl", "% verify_none\nssl:connect(Host, 443, [{verify, verify_peer}]).", []),
            ("a.ex", "# verify: :verify_none\nssl: [verify: :verify_peer]", []),
            ("a.ex", "@o [transport_options: [verify: :verify_none]]", ["acceptsEverything at line 1"]),
            ("a.ex", "http: [transport_options: [certfile: c, verify: :verify_none]]", []),
            ("a.ex", "Bandit.start_link(transport_options: [verify: :verify_none])", []),
            (
                "a.config", "[{a, [{key_config, [{peer_verification, verify_none}]}]}].",
                ["acceptsEverything at line 1"]
            ),
            ("a.ex", "@type mode :: :verify_none | :verify_peer", []),
            ("a.ex", "verify: if(secure?, do: :verify_peer, else: :verify_none)", ["not proven at line 1"]),
            (
                "a.ex", "ssl: [verify: :verify_peer, verify_fun: {fn _, _, s -> {:valid, s} end, nil}]",
                ["acceptsEverything at line 1"]
            ),
            (
                "a.ex",
                "verify_fun: {fn _, {:bad_cert, r}, _ -> {:fail, r}\n _, _, s -> {:valid, s} end, nil}",
                ["not proven at line 1"]
            ),
            ("a.ex", "verify_fun: {&:ssl_verify_hostname.verify_fun/3, [check_hostname: h]}", []),
            (
                "a.ex", "customize_hostname_check: [match_fun: fn _, _ -> true end]",
                ["authorityWithoutHost at line 1"]
            ),
            ("a.ex", "match_fun: :public_key.pkix_verify_hostname_match_fun(:https)", []),
            (
                "a.ex", "[verify: :verify_peer, server_name_indication: :disable]",
                ["authorityWithoutHost at line 1"]
            ),
            ("a.ex", "HTTPoison.get(u, [], hackney: [:insecure])", ["acceptsEverything at line 1"]),
            ("a.erl", "hackney:request(get, U, [], <<>>, [insecure]).", ["acceptsEverything at line 1"]),
            ("a.erl", "s() -> ssl:listen(443, [{verify, verify_none}]).", []),
            (
                "a.erl", "f($\") -> ok.\nssl:connect(H, 443, [{verify, verify_none}]).",
                ["acceptsEverything at line 2"]
            ),
            (
                "a.erl", "f($%) -> ssl:connect(H, 443, [{verify, verify_none}]).",
                ["acceptsEverything at line 1"]
            ),
            (
                "sys.config", "%% a\n[{hackney, [{ssl_options, [{verify, verify_none}]}]}].\n",
                ["acceptsEverything at line 2"]
            ),
            ("rabbitmq.config", "[{rabbit, [{ssl_options, [{verify, verify_none}]}]}].", []),
            (
                "rabbitmq.config",
                "[{rabbit, [{peer_discovery_etcd, [{ssl_options, [{verify, verify_none}]}]}]}].",
                ["acceptsEverything at line 1"]
            ),
            ("a.erl", "eldap:start_tls(H, [{verify, verify_none}]).", ["acceptsEverything at line 1"]),
            ("a.ex", ":eldap.start_tls(h, [verify: :verify_none])", ["acceptsEverything at line 1"]),
            ("a.erl", "cowboy:start_tls(n, [{verify, verify_none}], #{}).", []),
            ("a.ex", ":cowboy.start_tls(:n, [verify: :verify_none], %{})", []),
            (
                "a.ex", "Supervisor.child_spec({Finch, conn_opts: [verify: :verify_none]}, id: F)",
                ["acceptsEverything at line 1"]
            ),
            ("a.ex", "Plug.Cowboy.child_spec(scheme: :https, options: [verify: :verify_none])", []),
            ("a.ex", "plug Opts, adapter: [https: [verify: :verify_none]]", ["acceptsEverything at line 1"]),
            ("a.exs", "config :a, A.Endpoint, https: [certfile: \"c.pem\", verify: :verify_none]", []),
            (
                "a.ex", "x = ~s(verify: :verify_none)\ny = ~S|verify: :verify_none|\n[verify: :verify_peer]",
                []
            ),
            ("a.ex", "@doc ~S\"\"\"\n  [verify: :verify_none]\n\"\"\"\n[verify: :verify_peer]", []),
            ("a.ex", "x = ?\"\nssl: [verify: :verify_none]", ["acceptsEverything at line 2"]),
        ]
    )
    func erlang(name: String, text: String, findings: [String]) { #expect(read(name, text) == findings) }

    @Test(
        "LuaSec's and OpenResty's connections are read",
        arguments: [
            ("local p = { mode = \"client\", verify = \"none\" }", ["acceptsEverything at line 1"]),
            ("local p = {\n mode = \"server\",\n verify = \"none\",\n}", []),
            ("local p = { mode = \"client\", verify = \"peer\" }", []),
            ("-- verify = \"none\"\nlocal a = 1", []),
            ("local ok = sock:sslhandshake(nil, \"a.test\", true)", []),
            ("local ok = sock:sslhandshake(nil, \"a.test\", false)", ["acceptsEverything at line 1"]),
            ("local ok = sock:sslhandshake()", ["acceptsEverything at line 1"]),
            ("local ok = sock:sslhandshake(nil, \"a.test\", verify)", ["not proven at line 1"]),
            ("local p = {}\np.verify = \"none\"", ["acceptsEverything at line 2"]),
            ("p['verify'] = 'none'", ["acceptsEverything at line 1"]),
            ("p.mode = \"server\"\np.verify = \"none\"", []),
            (
                "p.mode = \"server\"\np.mode = \"client\"\np.verify = \"none\"",
                ["acceptsEverything at line 3"]
            ),
            ("p.mode = \"client\"\np.mode = \"server\"\np.verify = \"none\"", []),
            ("for i = 1, #t do x = 1 end local p = { verify = \"none\" }", ["acceptsEverything at line 1"]),
            (
                "local https = require(\"ssl.https\")\nlocal b = https.request(\"https://a.test\")",
                ["acceptsEverything at line 2"]
            ),
            ("local https = require \"ssl.https\"\nhttps.request{ url = u, verify = \"peer\" }", []),
            ("local https = require \"ssl.https\"\nhttps.request(options)", ["not proven at line 2"]),
            ("pcall(sock.sslhandshake, sock, nil, \"a.test\", false)", ["acceptsEverything at line 1"]),
            ("pcall(sock.sslhandshake, sock, nil, \"a.test\", true)", []),
            ("sock.sslhandshake(sock, nil, \"a.test\", false)", ["acceptsEverything at line 1"]),
            ("--[==[\n{ verify = \"none\" }\n]==]\nlocal s = [[\nsock:sslhandshake()\n]]", []),
            ("local o = { verify = false }\nsock:tlshandshake(o)", ["acceptsEverything at line 1"]),
            ("sock:tlshandshake(options)", ["not proven at line 1"]),
            ("ssl.wrap(s, { mode = \"client\" })", ["acceptsEverything at line 1"]),
            ("c:request_uri(u, { ssl_verify = false })", ["acceptsEverything at line 1"]),
            (
                "local r = require \"resty.redis\":new()\nr:connect(h, 6380, { ssl = true })",
                ["acceptsEverything at line 2"]
            ),
            (
                "local r = require \"resty.redis\":new()\nr:connect(h, 1, { ssl = true, ssl_verify = true })",
                []
            ),
            ("local r = require \"resty.redis\":new()\nr:connect(h, 1, { ssl = false })", []),
            ("c:setopt_ssl_verifypeer(0)", ["acceptsEverything at line 1"]),
            ("c:setopt(curl.OPT_SSL_VERIFYPEER, 0)", ["acceptsEverything at line 1"]),
            ("c:setopt(curl.OPT_SSL_VERIFYPEER, 1)", []),
        ]
    )
    func lua(text: String, findings: [String]) { #expect(read("a.lua", text) == findings) }

    @Test(
        "Terraform's providers and requests are read",
        arguments: [
            ("provider \"kubernetes\" {\n  insecure = true\n}\n", ["acceptsEverything at line 2"]),
            (
                "provider \"helm\" {\n  kubernetes {\n    insecure = true\n  }\n}\n",
                ["acceptsEverything at line 3"]
            ),
            (
                "data \"http\" \"a\" {\n  url = \"https://a.test\"\n  insecure = true\n}\n",
                ["acceptsEverything at line 3"]
            ),
            ("provider \"proxmox\" {\n  pm_tls_insecure = true\n}\n", ["acceptsEverything at line 2"]),
            ("provider \"vsphere\" {\n  allow_unverified_ssl = var.open\n}\n", ["not proven at line 2"]),
            ("provider \"kubernetes\" {\n  insecure = false\n}\n", []),
            ("resource \"a\" \"b\" {\n  insecure = true\n}\n", []),
            ("variable \"insecure\" {\n  default = true\n}\n", []),
            ("provider  \"kubernetes\" {\n  insecure = true\n}\n", ["acceptsEverything at line 2"]),
            ("/* provider \"kubernetes\" {\n  insecure = true\n} */\n", []),
            (
                "resource \"a\" \"b\" {\n  c = <<-EOT\nprovider \"kubernetes\" {\n  insecure = true\n}\nEOT\n}\n",
                []
            ),
            (
                "resource \"a\" \"b\" {\n  c = <<-EOT\n  curl -k https://a.test\n  EOT\n}\n",
                ["acceptsEverything at [a.test]/line 3"]
            ),
            (
                "locals {\n  a = \"/*\"\n}\nprovider \"kubernetes\" {\n  insecure = true\n}\n",
                ["acceptsEverything at line 5"]
            ),
        ]
    )
    func terraform(text: String, findings: [String]) { #expect(read("main.tf", text) == findings) }

    @Test(
        "the proxy of a development server verifies its target unless secure is false",
        arguments: [
            (
                "a.js", "const p = { '/api': { target: 'https://a.test', secure: false } }",
                ["acceptsEverything at line 1"]
            ),
            ("a.ts", "createProxyMiddleware({\n target,\n secure: false })", ["acceptsEverything at line 3"]),
            (
                "a.js", "httpProxy.createProxyServer({ ws: true, secure: false })",
                ["acceptsEverything at line 1"]
            ),
            ("a.js", "const p = { target: 'http://localhost:8080', secure: false }", []),
            ("a.js", "const p = { target: 'https://a.test', secure: true }", []),
            ("a.js", "const p = { target: 'https://a.test', secure: strict }", ["not proven at line 1"]),
            ("a.js", "res.cookie('a', 'b', { secure: false })", []),
            (
                "a.js", "const o = { secure: false }\ncreateProxyMiddleware({ target: t, ...o })",
                ["acceptsEverything at line 1"]
            ),
            ("a.js", "const o = { secure: false }\ncreateProxyMiddleware({ ...o, secure: true })", []),
            (
                "a.js", "const secure = false\nconst p = { target: t, secure }",
                ["acceptsEverything at line 2"]
            ),
            (
                "a.js", "import { secure } from './a'\nconst p = { target: t, secure }",
                ["not proven at line 2"]
            ),
            ("a.js", "app.use(proxy('https://a.test', { secure: false }))", ["acceptsEverything at line 1"]),
            ("a.js", "app.use(proxy('http://a.test', { secure: false }))", []),
            ("a.js", "proxy.web(req, res, { secure: false })", ["acceptsEverything at line 1"]),
            ("a.js", "const p = { target: 'WS://a.test', secure: false }", []),
            ("a.js", "const p = { target: 'http://' + host, secure: false }", []),
            ("a.js", "createProxyServer({ cookie: { secure: false } })", []),
            (
                "a.js",
                "const p = { target: 'http://a.test', router: { b: 'https://b.test' }, secure: false }",
                ["acceptsEverything at line 1"]
            ),
            (
                "a.js",
                "const p = { target: 'http://a.test', router: { b: 'http://b.test' }, secure: false }", []
            ),
            (
                "a.js", "const p = { target: 'http://a.test', router: (r) => choose(r), secure: false }",
                ["acceptsEverything at line 1"]
            ),
            (
                "a.js",
                "const session = { target: 'https://a.test', secure: false }\ncreateProxyMiddleware(session)",
                ["acceptsEverything at line 1"]
            ),
            (
                "a.js", "const o = { proxy: { cookies: { target: 'https://a.test', secure: false } } }",
                ["acceptsEverything at line 1"]
            ),
            (
                "a.js", "s.proxy = { target: 'https://a.test' }\ns.proxy.secure = false",
                ["acceptsEverything at line 2"]
            ),
            ("a.js", "s.proxy = { target: 'http://a.test' }\ns.proxy.secure = false", []),
            (
                "a.js", "const p = { target: t, f(r) { r.cookies.set('a', 'b', { secure: false }) } }", []
            ),
            ("a.js", "const p = { target: { protocol: 'http:', host: 'a' }, secure: false }", []),
            (
                "proxy.conf.json", "{ \"/api\": {\n \"target\": \"https://a.test\",\n \"secure\": false } }",
                ["acceptsEverything at line 3"]
            ),
            ("proxy.conf.json", "{ \"/api\": { \"target\": \"http://localhost\", \"secure\": false } }", []),
            (
                "proxy.conf.json",
                "{ \"/api\": { \"target\": { \"protocol\": \"http:\", \"port\": 80 }, \"secure\": false } }",
                []
            ),
        ]
    )
    func proxies(name: String, text: String, findings: [String]) { #expect(read(name, text) == findings) }

    private static func manifest(_ attributes: String, prefix: String = "android") -> String {
        "<manifest xmlns:\(prefix)=\"http://schemas.android.com/apk/res/android\">\n<application \(attributes)/>\n</manifest>"
    }

    @Test(
        "an Android manifest that permits http is reported",
        arguments: [
            ("a.xml", manifest("android:usesCleartextTraffic=\"true\""), ["cleartext at line 2"]),
            ("a.xml", manifest("android:usesCleartextTraffic=\"false\""), []),
            ("a.xml", manifest("android:usesCleartextTraffic=\"${open}\""), ["not proven at line 2"]),
            ("app/src/debug/a.xml", manifest("android:usesCleartextTraffic=\"true\""), []),
            (
                "debug/app/src/main/a.xml", manifest("android:usesCleartextTraffic=\"true\""),
                ["cleartext at line 2"]
            ),
            (
                "a.xml",
                manifest("android:usesCleartextTraffic=\"true\" android:networkSecurityConfig=\"@xml/a\""), []
            ),
            ("a.ts", "export default { android: { usesCleartextTraffic: true } }", ["cleartext at line 1"]),
            ("a.kts", "manifestPlaceholders[\"usesCleartextTraffic\"] = true", ["cleartext at line 1"]),
            ("a.kts", "manifestPlaceholders[\"usesCleartextTraffic\"] = false", []),
            ("a.kts", "mapOf(\"usesCleartextTraffic\" to true)", ["cleartext at line 1"]),
            ("a.kts", "p.put(\"usesCleartextTraffic\", true)", ["cleartext at line 1"]),
            ("a.kts", "getByName(\"debug\") { p[\"usesCleartextTraffic\"] = true }", []),
            ("a.gradle", "debug { p = [usesCleartextTraffic: \"true\"] }", []),
            ("a.gradle", "release { p = [usesCleartextTraffic: \"true\"] }", ["cleartext at line 1"]),
            ("a.gradle", "buildTypes { debug { debuggable true } }", []),
            (
                "a.gradle", "productFlavors { debug { p = [usesCleartextTraffic: \"true\"] } }",
                ["cleartext at line 1"]
            ),
            ("a.gradle", "buildTypes {\n release { debuggable true } }", ["not proven at line 2"]),
            ("a.gradle", "buildTypes {\n beta { initWith debug\n } }", ["not proven at line 2"]),
            ("a.gradle", "buildTypes {\n beta { initWith debug\n debuggable false } }", []),
            (
                "a.kts", "create(\"beta\") {\n initWith(getByName(\"debug\")) }", ["not proven at line 2"]
            ),
            (
                "a.kts", "productFlavors {\n create(\"debug\") { isDebuggable = true } }",
                ["not proven at line 2"]
            ),
            ("a.xml", manifest("android:debuggable=\"true\""), ["not proven at line 2"]),
            ("app/src/debug/a.xml", manifest("android:debuggable=\"true\""), []),
            ("a.js", "a.$['android:usesCleartextTraffic'] = 'true'", ["cleartext at line 1"]),
            ("a.xml", manifest("b:usesCleartextTraffic=\"true\"", prefix: "b"), ["cleartext at line 2"]),
            ("a.xml", manifest("android:usesCleartextTraffic=\"true\"", prefix: "b"), []),
            (
                "a.xml",
                manifest(
                    "xmlns:b=\"http://schemas.android.com/apk/res/android\" b:usesCleartextTraffic=\"true\""
                ), ["cleartext at line 2"]
            ),
            (
                "a.xml",
                manifest(
                    "xmlns:b=\"http://schemas.android.com/apk/res/android\" android:usesCleartextTraffic=\"true\""
                ), ["cleartext at line 2"]
            ),
            ("capacitor.config.json", "{ \"server\": {\n \"cleartext\": true } }", ["cleartext at line 2"]),
            ("app.json", "{ \"android\": { \"usesCleartextTraffic\": true } }", ["cleartext at line 1"]),
        ]
    )
    func cleartext(name: String, text: String, findings: [String]) { #expect(read(name, text) == findings) }

    @Test(
        "switches are reported where they leave out the check of a server, and nowhere else",
        arguments: [
            (
                "a.go", "tls.Config{InsecureSkipVerify: true, VerifyPeerCertificate: pin}",
                ["not proven at line 1"]
            ),
            ("a.py", "jwt.decode(token, key, verify=False)", []),
            ("a.py", "import jwt, requests\njwt.decode(t, k, verify=False)\nrequests.get(u)", []),
            ("a.py", "user.set_password(p, verify=False)\nverify = False", []),
            ("a.py", "httpx.Client(verify=False)", ["acceptsEverything at line 1"]),
            ("a.py", "import requests\napi.decode.get(u, verify=False)", ["acceptsEverything at line 2"]),
            ("a.py", "import github\ng = Github(base_url=u, verify=False)", ["not proven at line 2"]),
            ("a.py", "self.s.verify = False", ["not proven at line 1"]),
            ("a.py", "g = Github(base_url=u, verify=True)\nverify = False", []),
            (
                "a.js", "if (dev) args.push('--ignore-certificate-errors')",
                ["not proven at line 1"]
            ),
            ("a.py", "k[\"assert_hostname\"] = False", ["authorityWithoutHost at line 1"]),
            (
                "a.dart", "ChannelCredentials.secure(onBadCertificate: allowBadCertificates)",
                ["acceptsEverything at line 1"]
            ),
            (
                "a.php", "<?php add_filter('https_ssl_verify', '__return_false');",
                ["acceptsEverything at line 1"]
            ),
            ("a.pl", "HTTP::Tiny->new(verify_SSL => 0);", ["acceptsEverything at line 1"]),
            (
                "a.swift",
                "func urlSession(_ s: URLSession, didReceive c: URLAuthenticationChallenge, completionHandler h: H) {\n let t = c.protectionSpace.serverTrust\n let k = SecTrustCopyKey(t)\n if pins.contains(k) { h(.useCredential, URLCredential(trust: t)) } }\n",
                ["not proven at line 4"]
            ),
            (
                "a.swift",
                "func urlSession(_ s: URLSession, didReceive c: URLAuthenticationChallenge, completionHandler h: H) {\n let t = c.protectionSpace.serverTrust\n queue.async(group: g) { h(.useCredential, URLCredential(trust: t)) } }\n",
                ["acceptsEverything at line 3"]
            ),
            ("a.php", "<?php Http::withOptions(['verify' => env('V')]);", ["not proven at line 1"]),
            ("a.php", "<?php new Client(['verify' => $caFile]);", []),
            (
                "a.php", "<?php new Client([RequestOptions::VERIFY => false]);",
                ["acceptsEverything at line 1"]
            ),
            ("a.php", "<?php new Client([RequestOptions::VERIFY => true]);", []),
            (".wgetrc", "check-certificate = off\n", ["acceptsEverything at line 1"]),
            (".wgetrc", "check-certificate = on\n", []),
            ("a.sh", "xargs -n1 curl -k < urls\n", ["acceptsEverything at line 1"]),
            ("a.sh", "xargs -n1 curl < urls\n", []),
            ("a.sh", ": curl -k https://a.test\n", []),
            ("a.php", "<?php new Client(['verify' => CaBundle::getBundledCaBundlePath()]);", []),
            ("a.php", "<?php new Client(['verify' => $this->skipCertificates()]);", ["not proven at line 1"]),
            ("a.php", "<?php new Client(['verify' => $profile->verify]);", ["not proven at line 1"]),
            ("a.php", "<?php new Client(['verify' => $location]);", ["not proven at line 1"]),
            ("a.php", "<?php new Client(['verify' => $capath ? true : false]);", ["not proven at line 1"]),
            ("a.php", "<?php new Client(['verify' => is_file($path)]);", ["not proven at line 1"]),
            ("a.py", "requests.get(u, verify=not ca_file)", ["not proven at line 1"]),
            (
                "a.py", "s[\"assert_fingerprint\"] = None\nrequests.get(u, verify=False)",
                ["acceptsEverything at line 2"]
            ),
            (
                "a.ts", "browser.newContext({ ignoreHTTPSErrors: Boolean(\"false\") })",
                ["acceptsEverything at line 1"]
            ),
            ("a.ts", "new https.Agent({ rejectUnauthorized: Boolean(\"false\") })", []),
            (
                "a.ts", "new https.Agent({ rejectUnauthorized: Boolean(\"\") })",
                ["acceptsEverything at line 1"]
            ),
            ("a.py", "client.tls_insecure_set(bool(\"False\"))", ["acceptsEverything at line 1"]),
            ("a.py", "requests.get(u, verify=bool(\"False\"))", []),
            (
                "A.java",
                "c.setTrustAll(new Boolean(\"true\")).setVerifyHost(Boolean.parseBoolean(\"false\"));",
                ["acceptsEverything at line 1"]
            ),
            (
                "a.js", "const key = 'rejectUnauthorized'\nhttps.get(u, { [key]: false })",
                ["acceptsEverything at line 2"]
            ),
            (
                "a.js", "const key = 'rejectUnauthorized'\noptions[key] = false",
                ["acceptsEverything at line 2"]
            ),
            ("a.js", "const key = 'rejectUnauthorized'\nhttps.get(u, { [key]: true })", []),
            (
                "a.js", "const KEY = 'ignoreHTTPSErrors'\nbrowser.newContext({ [KEY]: true })",
                ["acceptsEverything at line 2"]
            ),
            (
                "capacitor.config.ts", "export default { server: { cleartext: true } }",
                ["cleartext at line 1"]
            ),
            ("a.js", "window.open(url, { target: '_blank', secure: false })", []),
            (
                "a.php", "<?php add_filter('https_ssl_verify', function ($v) { return false; });",
                ["acceptsEverything at line 1"]
            ),
            (
                "a.php", "<?php add_filter('https_ssl_verify', fn() => false);",
                ["acceptsEverything at line 1"]
            ),
            ("a.php", "<?php add_filter('https_ssl_verify', [$this, 'no']);", ["not proven at line 1"]),
            (
                "a.php", "<?php function no() { return false; }\nadd_filter('https_ssl_verify', 'no');",
                ["acceptsEverything at line 2"]
            ),
            ("a.php", "<?php remove_filter('https_ssl_verify', '__return_false');", []),
            (
                "A.java",
                "System.setProperty(\"jdk.internal.httpclient.disableHostnameVerification\", Boolean.TRUE.toString());",
                ["authorityWithoutHost at line 1"]
            ),
            (
                "A.java",
                "System.setProperty(\"jdk.internal.httpclient.disableHostnameVerification\", value);",
                ["not proven at line 1"]
            ),
            (
                "a.js", "import { rejectUnauthorized } from './a'\nhttps.get({ rejectUnauthorized })",
                ["not proven at line 2"]
            ),
            ("a.js", "function f({ rejectUnauthorized }) { return 1 }", []),
            ("a.sh", "/opt/grpcurl -insecure=true a.test:443 list\n", ["acceptsEverything at line 1"]),
            ("a.sh", "argocd login a.test --insecure=false\n", []),
            ("a.sh", "./bin/npm config set strict-ssl false\n", ["acceptsEverything at line 1"]),
            ("a.sh", "bash <<EOT\ncurl -k https://a.test\nEOT\n", ["acceptsEverything at [a.test]/line 2"]),
            ("Caddyfile", "a.test {\n respond \"tls_insecure_skip_verify\"\n}\n", []),
            ("Caddyfile", "a.test {\n respond <<E\n tls_insecure_skip_verify\n E 200\n}\n", []),
            ("a.js", "session.setCertificateVerifyProc((request, callback) => { callback(-3) })", []),
            (
                "a.js", "puppeteer.launch({ args: ['--ignore-certificate-errors'] })",
                ["acceptsEverything at line 1"]
            ),
            (
                "a.kt", "HttpClient(CIO) { engine { https { trustManager = Lax() } } }",
                ["not proven at line 1"]
            ),
            ("a.kt", "engine { https.trustManager = Lax() }", ["not proven at line 1"]),
            (
                "a.kt", "val c = OkHttpClient.Builder().sslSocketFactory(factory, manager).build()",
                ["not proven at line 1"]
            ),
            ("a.sh", "podman pull --tls-verify=false a.test/b\n", ["acceptsEverything at line 1"]),
            ("a.sh", "grpcurl -insecure a.test:443 list\n", ["acceptsEverything at line 1"]),
            ("a.conf", "cluster { tls { insecure: true } }\n", ["acceptsEverything at line 1"]),
            (
                "Caddyfile", "a.test {\n transport http {\n  tls_insecure_skip_verify\n }\n}\n",
                ["acceptsEverything at line 3"]
            ),
        ]
    )
    func switches(name: String, text: String, findings: [String]) { #expect(read(name, text) == findings) }

    @Test("pins of OkHttp are followed through the files of a project")
    func project() {
        let pins =
            "object P { val p = CertificatePinner.Builder().add(\"a.test\", \"sha256/\(Pins.first)\", \"sha256/\(Pins.second)\").build() }"
        let pinned = "val c = OkHttpClient.Builder().certificatePinner(P.p).build()"
        for (client, isProven) in [(pinned, true), ("val c = OkHttpClient.Builder().build()", false)] {
            let files = [("a.kt", pins), ("b.kt", client)].map { (name: $0, bytes: Array($1.utf8)) }
            var options = PolicyFile.Options()
            options.project = SourceProject(files)
            let findings = files.flatMap { file in
                options.name = file.name
                return PolicyFile.examine(file.bytes, options: options, files: .memory([:])).findings
            }
            #expect(!findings.contains { $0.severity == .unproven } == isProven, "\(findings)")
        }
        #expect(read("b.kt", pinned) == ["not proven at line 1"])
    }

    @Test(
        "code of another kind is read by no reader, and no report says that nothing was found",
        arguments: [
            ("a.js", "const secure = 1"), ("a.js", "res.cookie('a', 'b', { secure: true })"),
            ("a.kt", "val trustManager = x"), ("a.kt", "val sslSocketFactory = x"),
            ("a.kt", "val text = \"certificatePinner\"\nval c = OkHttpClient.Builder().build()"),
        ]
    )
    func others(name: String, text: String) {
        var options = PolicyFile.Options()
        options.name = name
        let (file, findings) = PolicyFile.examine(Array(text.utf8), options: options, files: .memory([:]))
        #expect(file == nil && findings.contains { $0.code == .unreadable }, "\(findings)")
    }

    @Test(
        "a word in a text, in a comment or in another module proves nothing about pins and sockets",
        arguments: [
            ("app/src/b.kt", "val t = \"certificatePinner checkServerTrusted\""),
            ("app/src/b.kt", "// certificatePinner(p) checkServerTrusted"),
            ("other/src/b.kt", "fun f() { b.certificatePinner(q); m.checkServerTrusted(c, a) }"),
        ]
    )
    func modules(name: String, text: String) {
        let pins = "val p = CertificatePinner.Builder().add(\"a.test\", \"sha256/\(Pins.first)\").build()"
        let socket = "val c = OkHttpClient.Builder().sslSocketFactory(f, m).build()"
        for code in [pins, socket] {
            let project = SourceProject(
                [("app/src/a.kt", code), (name, text)].map { (name: $0, bytes: Array($1.utf8)) }
            )
            var options = PolicyFile.Options()
            (options.name, options.project) = ("app/src/a.kt", project)
            let findings = PolicyFile.examine(Array(code.utf8), options: options, files: .memory([:]))
                .findings
            #expect(findings.contains { $0.severity == .unproven }, "\(findings)")
        }
    }

    @Test("TrustKit's exception for the user's CAs is read in code, and a refused document has its line")
    func documents() {
        var options = PolicyFile.Options()
        options.name = "a.swift"
        let code =
            "let c: [String: Any] = [kTSKIgnorePinningForUserDefinedTrustAnchors: true, kTSKPinnedDomains: [\"a.test\": [kTSKPublicKeyHashes: [\"\(Pins.first)\", \"\(Pins.second)\"]]]]"
        let file = PolicyFile.examine(Array(code.utf8), options: options, files: .memory([:])).file
        #expect((file?.policies.first as? TrustKitPolicy)?.ignorePinningForUserDefinedTrustAnchors == true)
        options.name = "a.xml"
        let document =
            "\n<network-security-config><domain-config><domain>a.test</domain><pin-set><pin digest=\"SHA-1\">x</pin></pin-set></domain-config></network-security-config>"
        let findings = PolicyFile.examine(Array(document.utf8), options: options, files: .memory([:]))
            .findings
        #expect(findings.map(\.path) == ["line 2"] && findings.map(\.code) == [.unreadable])
    }
}
