package import PinholeModel

/// The notation in which a mechanism writes pins.
package enum PinNotation: String, CaseIterable, Sendable {
    case base64
    case hex
    case okhttp
    case trustkit
    case android
    case apple
    case curl
    case hpkp
    case tlsa
    case afnetworking
    case alamofire
    case raw

    /// The title of the notation for users.
    package var title: String {
        switch self {
        case .base64: "SPKI SHA-256"
        case .hex: "hexadecimal"
        case .okhttp: "OkHttp"
        case .trustkit: "TrustKit (Info.plist)"
        case .android: "Android (res/xml/network_security_config.xml)"
        case .apple: "Apple NSPinnedDomains (Info.plist)"
        case .curl: "curl"
        case .hpkp: "HPKP header"
        case .tlsa: "TLSA"
        case .afnetworking: "AFNetworking"
        case .alamofire: "Alamofire"
        case .raw: "raw key"
        }
    }

    /// Whether each key has a line of its own; otherwise the notation is a piece of a file.
    package var isLine: Bool { [.base64, .hex, .okhttp, .curl, .tlsa, .raw].contains(self) }

    /// Whether the notation contains the host.
    package var namesHost: Bool { ![.base64, .hex, .curl, .hpkp, .raw].contains(self) }

    /// Whether the notation accepts only DNS names as hosts.
    package var takesNamesOnly: Bool { [.trustkit, .android, .apple, .tlsa].contains(self) }

    /// Returns the line of one key; `nil` if the notation has none for the key.
    package func line(_ key: PinnedKey) -> String? {
        let host = key.host?.description ?? PinSnippet.Domain.example
        switch self {
        case .base64: return "sha256/\(key.base64)"
        case .hex: return key.hexadecimal
        case .okhttp: return "\(host) sha256/\(key.base64)"
        case .curl: return "sha256//\(key.base64)"
        case .tlsa:
            // An IP address has no TLSA record, and the host of a wildcard is unknown.
            guard key.host.map({ $0.address == nil && $0.wildcardParent == nil }) ?? true else { return nil }
            // DANE-EE for the server's own key, DANE-TA for a CA (RFC 7671 §5.1, §5.2).
            let usage = key.isAuthority ? 2 : 3
            return "_\(key.port)._tcp.\(host). IN TLSA \(usage) 1 1 \(key.hexadecimal)"
        case .raw: return key.rawKeySHA256.map { Base64.encode($0) }
        case .trustkit, .android, .apple, .hpkp, .afnetworking, .alamofire: return nil
        }
    }

    /// Returns the piece of a file that pins the keys.
    ///
    /// - Parameters:
    ///   - keys: The keys that are worth pinning, the server's first.
    ///   - host: The host.
    /// - Returns: The text of the piece.
    package func snippet(_ keys: [PinnedKey], host: Host?) -> String {
        let pins = keys.map(\.base64)
        let domain = PinSnippet.Domain(host)
        let host = host?.description ?? PinSnippet.Domain.example
        switch self {
        case .trustkit: return PinSnippet.trustKit(pins, domain)
        case .android: return PinSnippet.android(pins, domain)
        case .apple:
            let authorities = keys.filter(\.isAuthority)
            // If every key belongs to a CA, they are pinned as given.
            guard authorities.count < keys.count else { return PinSnippet.apple(pins, domain) }
            return PinSnippet.apple(
                keys.filter { !$0.isAuthority }.map(\.base64),
                authorities: authorities.map(\.base64),
                domain
            )
        case .hpkp:
            let values =
                pins.map { "pin-sha256=\"\($0)\"" } + (pins.count < 2 ? ["pin-sha256=\"BACKUP\""] : [])
            return "Public-Key-Pins: \(values.joined(separator: "; ")); max-age=5184000"
        case .afnetworking: return PinSnippet.afNetworking(host)
        case .alamofire: return PinSnippet.alamofire(host)
        case .base64, .hex, .okhttp, .curl, .tlsa, .raw:
            return keys.compactMap { line($0) }.joined(separator: "\n")
        }
    }
}
