/// The header fields that a registry or a specification names.
///
/// Source: the field names of IANA (RFC 9110 §18.4), the pseudo-fields of RFC 9113 §8.3, W3C Fetch and its metadata, and
/// fields that proxies and content delivery networks set.
package enum RegisteredFields {
    /// Whether a field is registered.
    ///
    /// - Parameter name: The name, in lower case.
    /// - Returns: Whether it is registered.
    package static func contains(_ name: String) -> Bool { all.contains(name) }

    private static let all: Set<String> = Set(
        """
        :authority :method :path :protocol :scheme :status
        a-im accept accept-ch accept-charset accept-datetime accept-encoding accept-features accept-language accept-patch
        accept-post accept-ranges accept-signature access-control-allow-credentials access-control-allow-headers
        access-control-allow-methods access-control-allow-origin access-control-allow-private-network
        access-control-expose-headers access-control-max-age access-control-request-headers access-control-request-method
        access-control-request-private-network age allow alpn alt-svc alt-used alternates apply-to-redirect-ref
        authentication-control authentication-info authorization available-dictionary cache-control cache-status
        cal-managed-id caldav-timezones capsule-protocol cdn-cache-control cdn-loop cert-not-after cert-not-before
        clear-site-data client-cert client-cert-chain close concealed-auth-export connection content-digest
        content-disposition content-encoding content-id content-language content-length content-location content-md5
        content-range content-security-policy content-security-policy-report-only content-type cookie cookie2
        cross-origin-embedder-policy cross-origin-embedder-policy-report-only cross-origin-opener-policy
        cross-origin-opener-policy-report-only cross-origin-resource-policy dasl date dav delta-base deprecation depth
        device-memory dictionary-id digest dnt downlink dpop dpop-nonce dpr early-data ect edge-control etag expect
        expect-ct expires ext feature-policy forwarded from grpc-accept-encoding grpc-encoding grpc-message grpc-status
        grpc-timeout host http2-settings hx-boosted hx-current-url hx-redirect hx-request hx-target hx-trigger if if-match
        if-modified-since if-none-match if-range if-schedule-tag-match if-unmodified-since im include-referred-token-binding-id
        keep-alive label last-event-id last-modified link link-template location lock-token max-forwards memento-datetime
        meter mime-version nel negotiate ordering-type origin origin-agent-cluster oscore overwrite p3p permissions-policy
        ping-from ping-to pragma prefer preference-applied priority proxy-authenticate proxy-authentication-info
        proxy-authorization proxy-connection proxy-status purpose range redirect-ref referer referrer-policy refresh
        repeatability-client-id repeatability-first-sent repeatability-request-id repeatability-result replay-nonce
        report-to reporting-endpoints repr-digest retry-after rtt save-data schedule-reply schedule-tag sec-ch-ua
        sec-ch-ua-arch sec-ch-ua-bitness sec-ch-ua-full-version-list sec-ch-ua-mobile sec-ch-ua-model sec-ch-ua-platform
        sec-ch-ua-platform-version sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-storage-access sec-fetch-user
        sec-gpc sec-purpose sec-token-binding sec-websocket-accept sec-websocket-extensions sec-websocket-key
        sec-websocket-protocol sec-websocket-version server server-timing service-worker service-worker-allowed
        service-worker-navigation-preload set-cookie set-cookie2 signature signature-input slug soapaction sourcemap
        status-uri strict-transport-security sunset surrogate-capability surrogate-control tcn te timeout
        timing-allow-origin topic trace traceparent tracestate trailer transfer-encoding ttl upgrade
        upgrade-insecure-requests urgency use-as-dictionary user-agent variant-vary vary via viewport-width want-content-digest
        want-repr-digest warning width www-authenticate x-accel-buffering x-api-key x-amz-cf-id x-amz-cf-pop x-amz-date
        x-amz-request-id x-amz-security-token x-amzn-requestid x-amzn-trace-id x-auth-token x-authorization x-cache
        x-cache-hits x-client-ip x-cloud-trace-context x-content-type-options x-correlation-id x-csrf-token x-csrftoken
        x-dns-prefetch-control x-download-options x-forwarded-for x-forwarded-host x-forwarded-port x-forwarded-proto
        x-frame-options x-http-method-override x-original-url x-permitted-cross-domain-policies x-powered-by
        x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset x-real-ip x-request-id x-requested-with x-response-time
        x-rewrite-url x-robots-tag x-runtime x-served-by x-timer x-trace-id x-ua-compatible x-varnish x-xsrf-token
        x-xss-protection cf-cache-status cf-connecting-ip cf-ray api-key apikey sec-ch-prefers-color-scheme
        connect-protocol-version connect-timeout-ms connect-content-encoding connect-accept-encoding x-grpc-web x-user-agent
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )
}
