/// The words that may stay in the values of registered header fields: names of codings, media types, directives,
/// schemes and the like, all of them from registries and specifications.
package enum RegisteredValues {
    /// Whether a word stays in the value of a registered field.
    ///
    /// - Parameter word: The word, in lower case.
    /// - Returns: Whether it stays.
    package static func contains(_ word: String) -> Bool { words.contains(word) }

    /// Whether a text is a media type whose both parts are registered (RFC 6838), or a range such as `text/*`.
    ///
    /// - Parameter type: The text, in lower case.
    /// - Returns: Whether both parts are known.
    package static func isMediaType(_ type: String) -> Bool {
        let parts = type.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && topTypes.contains(String(parts[0])) && subtypes.contains(String(parts[1]))
    }

    /// Whether a text is a range of languages with subtags of two characters, such as `de-AT` (RFC 4647 §2.1).
    ///
    /// - Returns: Whether it is.
    package static func isLanguage(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count)
            && parts.allSatisfy {
                $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x61...0x7a).contains($0 | 0x20) }
            }
    }

    /// Whether a number stays in the value of a field: a length, a duration, a weight or a version, and no address or date.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - field: The field, in lower case.
    ///   - parameter: The name before the number and a `=`, in lower case; `nil` if it stands alone.
    /// - Returns: Whether it stays.
    package static func isNumber(
        _ number: some StringProtocol,
        of field: String,
        _ parameter: String?
    ) -> Bool {
        let bytes = number.utf8
        guard (1...10).contains(bytes.count) else { return false }
        let isDigits = bytes.allSatisfy { (0x30...0x39).contains($0) }
        switch field {
        case "range", "content-range":
            return bytes.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x2f }
        case "via": return bytes.count <= 3 && bytes.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e }
        case "accept", "accept-charset", "accept-encoding", "accept-language", "te":
            // A weight (RFC 9110 §12.4.2), or a version.
            guard let parameter, words.contains(parameter) else { return false }
            return bytes.count <= (isDigits ? 2 : 5)
                && bytes.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e }
        default: return isDigits && (parameter.map { words.contains($0) } ?? true)
        }
    }

    /// Whether a number of seconds stays in a field that has a date otherwise.
    ///
    /// - Parameters:
    ///   - text: The value.
    ///   - field: The field, in lower case.
    /// - Returns: Whether it has at most ten digits, or one digit in a field other than Retry-After.
    package static func isSeconds(_ text: ArraySlice<UInt8>, of field: String) -> Bool {
        let digits = text.first == 0x2d ? text.dropFirst() : text
        return (1...(field == "retry-after" ? 10 : 1)).contains(digits.count)
            && digits.allSatisfy(TokenForm.isDigit)
    }

    /// Whether words of two letters are languages in a field.
    ///
    /// - Parameter field: The field, in lower case.
    /// - Returns: Whether they are.
    package static func hasLanguages(_ field: String) -> Bool {
        field == "accept-language" || field == "content-language"
    }

    /// The parameters of header fields whose values are texts of somebody, so that no word of them stays.
    package static let freeParameters: Set<String> = [
        "boundary", "cnonce", "filename", "filename*", "nonce", "opaque", "realm", "response", "title",
        "title*",
        "user", "username", "username*",
    ]

    /// The methods of RFC 9110, RFC 5789, WebDAV and the like.
    package static let methods: Set<String> = [
        "ACL", "BIND", "CHECKIN", "CHECKOUT", "CONNECT", "COPY", "DELETE", "GET", "HEAD", "LABEL", "LINK",
        "LOCK",
        "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL", "MOVE", "NOTIFY", "OPTIONS", "ORDERPATCH", "PATCH",
        "POST",
        "PRI", "PROPFIND", "PROPPATCH", "PURGE", "PUT", "QUERY", "REBIND", "REPORT", "SEARCH", "SUBSCRIBE",
        "TRACE",
        "UNBIND", "UNLINK", "UNLOCK", "UNSUBSCRIBE", "UPDATE",
    ]

    /// The protocols of ALPN (RFC 7301) that stay.
    package static let applicationProtocols: Set<String> = [
        "acme-tls/1", "dot", "ftp", "h2", "h2c", "h3", "http/0.9", "http/1.0", "http/1.1", "imap",
        "managesieve", "mqtt",
        "pop3", "postgresql", "spdy/1", "spdy/2", "spdy/3", "stun.nat-discovery", "stun.turn", "webrtc",
        "xmpp-client",
    ]

    /// The parts of the names of cipher suites, groups and versions of TLS.
    package static let tlsParts: Set<String> = Set(
        """
        TLS TLSv1 TLSv1.1 TLSv1.2 TLSv1.3 SSLv3 AES 128 192 256 GCM CCM CCM8 8 CBC SHA SHA1 SHA256 SHA384 SHA512 MD5 ECDHE
        ECDH DHE DH RSA ECDSA DSS PSK SRP CHACHA20 POLY1305 CAMELLIA ARIA CAMELLIA128 CAMELLIA256 ARIA128 ARIA256 AES128
        AES256 3DES EDE DES CBC3 RC4 40 NULL EXP SEED IDEA WITH ADH AECDH anon ANON x25519 X25519 X25519MLKEM768 x448 X448
        secp256r1 secp384r1 secp521r1 secp224r1 secp192r1 secp256k1 prime256v1 SecP256r1MLKEM768 SecP384r1MLKEM1024
        brainpoolP256r1 brainpoolP384r1 brainpoolP512r1 brainpoolP256r1tls13 brainpoolP384r1tls13 brainpoolP512r1tls13
        ffdhe2048 ffdhe3072 ffdhe4096 ffdhe6144 ffdhe8192 MLKEM512 MLKEM768 MLKEM1024 x25519mlkem768 P 384 521 GOST2012 SM4
        SM3 KUZNYECHIK MAGMA
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )

    /// Whether a text is the name of a cipher suite, a group or a version of TLS.
    ///
    /// - Returns: Whether it is.
    package static func isOfTLS(_ name: String) -> Bool {
        tlsParts.contains(name)
            || name.split(whereSeparator: { $0 == "_" || $0 == "-" }).allSatisfy {
                tlsParts.contains(String($0))
            }
    }

    /// Whether a text is a fingerprint by FoxIO's JA4, which is made of counts and digests of public lists.
    ///
    /// - Returns: Whether it is.
    package static func isJA4(_ text: String) -> Bool {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0].utf8.count == 10 && parts[1].utf8.count == 12
            && parts[2].utf8.count == 12
            && (parts[0].hasPrefix("t") || parts[0].hasPrefix("q") || parts[0].hasPrefix("d"))
            && parts.dropFirst().allSatisfy { $0.allSatisfy { $0.isHexDigit && !$0.isUppercase } }
    }

    private static let topTypes: Set<String> = [
        "*", "application", "audio", "font", "image", "message", "model", "multipart", "text", "video",
    ]

    private static let subtypes: Set<String> = Set(
        """
        * 3gpp aac activity+json alternative apng atom+xml avif basic bmp byteranges calendar cbor cloudevents+json
        connect+json connect+proto css csp-report csv dash+xml digest dns-message dns-json dpop+jwt emotion event-stream
        flac form-data geo+json gif graphql graphql+json graphql-response+json grpc grpc+json grpc+proto grpc-web
        grpc-web+proto grpc-web-text grpc-web-text+proto gzip h264 hal+json html http importmap+json javascript jose jpeg
        jpg json json-patch+json json-seq json5 jsonl jwk+json jwk-set+json jwt ld+json manifest+json markdown merge-patch+json
        mixed mp2t mp4 mpeg msword mpegurl n-triples ndjson octet-stream oauth-authz-req+jwt ocsp-request ocsp-response ogg
        opus otf pdf pem-certificate-chain pgp-encrypted pkcs7-mime pkcs7-signature pkix-cert pkix-crl plain png
        problem+json problem+xml protobuf proto quicktime rdf+xml related reports+json rfc822 rss+xml rtf sdp
        secevent+jwt soap+xml speculationrules+json sql svg+xml tar tiff trig ttf turtle vcard vnd.android.package-archive
        vnd.api+json vnd.apple.mpegurl vnd.github+json vnd.google.protobuf vnd.microsoft.icon
        vnd.mozilla.xul+xml vnd.ms-excel vnd.ms-fontobject vnd.ms-powerpoint vnd.oasis.opendocument.text
        vnd.openxmlformats-officedocument.spreadsheetml.sheet vnd.openxmlformats-officedocument.wordprocessingml.document
        wasm wav webm webp woff woff2 x-amz-json-1.0 x-amz-json-1.1 x-bzip2 x-font-ttf x-gzip x-icon x-javascript
        x-json x-matroska x-mpegurl x-mixed-replace x-ndjson x-pem-file x-protobuf x-sh x-tar x-www-form-urlencoded
        x-x509-ca-cert x-yaml x-zip-compressed xhtml+xml xml xml-dtd yaml zip zstd signed-exchange trace+json
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )

    private static let words: Set<String> = Set(
        """
        * 100-continue 200-ok accept accept-encoding accept-language access-control-allow-origin all allow-forms
        allow-popups allow-same-origin allow-scripts anonymous any attachment audio audioworklet auth auth-int authority
        aws4-hmac-sha256 base64 base-uri basic bearer block block-all-mixed-content br bytes cache caches chunked clear
        client_no_context_takeover client_max_window_bits server_no_context_takeover server_max_window_bits permessage-deflate
        close compress connect-src content-length content-type cookie cookies cors credentialless cross-site crossorigin
        charset boundary name filename filename* form-data inline creation-date modification-date size read-date
        default-src deflate deny digest directive dnssd document domain dpop early-hints embed empty error error_description
        es256 executioncontexts expires exp express fetch font font-src form-action frame frame-ancestors frame-src gmt gzip
        h2 h2c h3 h3-29 hpack http http/1.0 http/1.1 http/2 http/2.0 http/3 http2-settings https httponly i identity iframe
        ifmodifiedsince image img-src immutable include includesubdomains inlinescript invalid_request invalid_token
        insufficient_scope iso-8859-1 iso-8859-15 js json keep-alive last-modified lax level ma manifest manifest-src max
        max-age max-stale md5 md5-sess media-src min-fresh mode modulepreload multipart mustrevalidate must-revalidate
        must-understand navigate negotiate nested-navigate no-cache no-cors no-referrer no-referrer-when-downgrade no-store
        no-transform nocookies none nonce noopener noopener-allow-popups nosniff ns nc ntlm object object-src off on only-if-cached
        opaque origin origin-agent-cluster origin-when-cross-origin partitioned path permissive persist plugin-types
        prefetch preflight-continue preload preload-src preconnect priority private profile proxy-connection
        proxy-revalidate public q qop quic realm reload report report-only report-sample report-to report-uri require-corp
        require-sri-for response return same-origin same-origin-allow-popups same-origin-allow-popups-allow-postmessage
        same-site sameorigin samesite samesite=lax sandbox scope scram-sha-256 script script-src script-src-attr
        script-src-elem secure self server serviceworker session sha-256 sha-512 sha-256-sess sharedworker stale
        stale-if-error stale-while-revalidate storage strict strict-dynamic strict-origin strict-origin-when-cross-origin
        strict-transport-security style style-src style-src-attr style-src-elem stylesheet tcp te text timeout token
        track trailers trickle type u ua unlink unsafe-eval unsafe-hashes unsafe-inline unsafe-none unsafe-url upgrade
        upgrade-insecure-requests us-ascii user-agent utf-16 utf-8 utf8 v vary version video w/ wasm-unsafe-eval webidentity
        websocket windows-1252 worker worker-src www-authenticate x-gzip x-requested-with xmlhttprequest xslt zstd dcb dcz
        rel next prev previous first last alternate canonical as algorithm uri response cnonce username stale title
        hit miss dynamic bypass expired revalidated updating report-uri rejected get head post put delete patch options trace
        connect content-encoding authorization x-api-key x-csrf-token if-none-match if-match if-modified-since etag link location
        accept-ranges range content-range retry-after cache-control host referer date s-maxage public-key-pins
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )
}

extension RegisteredValues {
    /// The suffixes of media types that name a syntax (RFC 6839).
    package static let suffixes: Set<String> = ["+cbor", "+json", "+jwt", "+proto", "+xml", "+yaml", "+zip"]
}
