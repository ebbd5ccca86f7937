/// The errors that an app on URLSession would see, with Foundation's names and numbers.
package enum URLErrorCode: Int, Error, Sendable, CaseIterable, Codable {
    /// The task was cancelled, by a delegate or by the caller.
    case cancelled = -999
    /// The URL is malformed.
    case badURL = -1000
    /// The wait for bytes was too long.
    case timedOut = -1001
    /// The URL has another scheme.
    case unsupportedURL = -1002
    /// The name has no address.
    case cannotFindHost = -1003
    /// No connection could be made.
    case cannotConnectToHost = -1004
    /// The connection broke.
    case networkConnectionLost = -1005
    /// Too many redirects.
    case httpTooManyRedirects = -1007
    /// The response is no HTTP.
    case badServerResponse = -1011
    /// Authentication was given up.
    case userCancelledAuthentication = -1012
    /// The server asks for authentication, and there is no credential to try.
    case userAuthenticationRequired = -1013
    /// The way leads to plain HTTP.
    case appTransportSecurityRequiresSecureConnection = -1022
    /// The body is longer than the limit.
    case dataLengthExceedsMaximum = -1103
    /// TLS failed for another reason than the ones below.
    case secureConnectionFailed = -1200
    /// The certificate has expired.
    case serverCertificateHasBadDate = -1201
    /// The certificate is not trusted: wrong host, revoked, refused by a policy.
    case serverCertificateUntrusted = -1202
    /// The chain leads to no known root.
    case serverCertificateHasUnknownRoot = -1203
    /// The certificate is not valid yet.
    case serverCertificateNotYetValid = -1204
    /// The server refused our certificate.
    case clientCertificateRejected = -1205
    /// The server insists on a certificate.
    case clientCertificateRequired = -1206
    /// The proxy refused the tunnel: `kCFErrorHTTPSProxyConnectionFailure`.
    case httpsProxyConnectionFailure = 310

    /// The error domain: CFNetwork's for a proxy that refuses a tunnel, else that of URLs.
    package var domain: String {
        self == .httpsProxyConnectionFailure ? "kCFErrorDomainCFNetwork" : "NSURLErrorDomain"
    }

    /// Foundation's name: `serverCertificateUntrusted`.
    package var name: String { "\(self)" }
}
