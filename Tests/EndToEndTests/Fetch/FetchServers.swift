/// Servers in Python that the fetch tests talk to: TLS, and HTTP authentication checked by their own code.
enum FetchServers {
    /// Prints its port; `/basic` and `/digest/ALGORITHM` open for alice with the password secret.
    static let python = """
        import base64, hashlib, http.server, re, ssl, sys

        def hexdigest(algorithm, text):
            name = {"MD5": "md5", "SHA-256": "sha256"}[algorithm]
            return hashlib.new(name, text.encode()).hexdigest()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            counts = {}

            def answer(self, status, text, *fields):
                body = text.encode()
                self.send_response(status)
                for name, value in fields: self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                said = self.headers.get("Authorization", "")
                kind, _, algorithm = self.path.strip("/").partition("/")
                if kind == "basic":
                    if said == "Basic " + base64.b64encode(b"alice:secret").decode():
                        return self.answer(200, "welcome by Basic")
                    return self.answer(401, "who?", ("WWW-Authenticate", 'Basic realm="inside", charset="UTF-8"'))
                if kind == "digest":
                    if self.digest(said, algorithm): return self.answer(200, "welcome by Digest")
                    return self.answer(401, "who?", ("WWW-Authenticate",
                        'Digest realm="inside", qop="auth, auth-int", nonce="abc", opaque="xyz", '
                        'algorithm=' + algorithm))
                self.answer(200, "hello")

            def digest(self, said, algorithm):
                if not said.startswith("Digest "): return False
                p = {k: q or v for k, q, v in re.findall(r'(\\w+)=(?:"([^"]*)"|([^ ,]+))', said)}
                plain = algorithm.replace("-sess", "")
                if plain not in ("MD5", "SHA-256"): return False
                count = int(p["nc"], 16)
                if p["nonce"] != "abc" or p["opaque"] != "xyz" or p["uri"] != self.path: return False
                key = hexdigest(plain, "alice:inside:secret")
                if algorithm.endswith("-sess"): key = hexdigest(plain, f'{key}:abc:{p["cnonce"]}')
                covered = hexdigest(plain, f'GET:{self.path}')
                wanted = hexdigest(plain, f'{key}:abc:{p["nc"]}:{p["cnonce"]}:{p["qop"]}:{covered}')
                return count == 1 and p["response"] == wanted

            def log_message(self, *_): pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("chain.pem", "key.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print("PORT", server.server_address[1], flush=True)
        server.serve_forever()
        """

    /// nginx that demands a certificate by the root of the test.
    static func nginx(port: UInt16, in directory: String) -> String {
        """
        daemon off;
        master_process off;
        pid \(directory)/nginx.pid;
        error_log stderr notice;
        events {}
        http {
            access_log off;
            client_body_temp_path \(directory)/t1; proxy_temp_path \(directory)/t2;
            fastcgi_temp_path \(directory)/t3; uwsgi_temp_path \(directory)/t4; scgi_temp_path \(directory)/t5;
            server {
                listen 127.0.0.1:\(port) ssl;
                ssl_certificate \(directory)/chain.pem;
                ssl_certificate_key \(directory)/key.pem;
                ssl_client_certificate \(directory)/root.pem;
                ssl_verify_client on;
                ssl_verify_depth 3;
                location / { return 200 "welcome $ssl_client_s_dn"; }
            }
        }
        """
    }
}
