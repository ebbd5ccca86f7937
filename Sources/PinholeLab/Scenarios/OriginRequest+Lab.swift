import PinholeClient
import PinholeCrypto
import PinholeModel
import PinholeWire

extension OriginRequest {
    /// The port that the client believes to speak with.
    var port: UInt16 {
        let host = head.fields.first("host").flatMap { try? Authority($0, defaultPort: 443) }
        return host?.port ?? 443
    }

    /// Makes the answer of the account page.
    func account(fields: [String] = []) -> [OriginStep] {
        reply(200, type: "text/plain", body: Array("balance: 42\n".utf8), fields: fields)
    }

    /// An answer that leads elsewhere.
    func redirect(to location: String) -> [OriginStep] { reply(302, fields: ["Location: \(location)"]) }

    /// The name and the password that a field gives away by Basic, as `name:password`; `nil` for none.
    func login(_ field: String) -> String? {
        guard let value = head.fields.first(field), value.hasPrefix("Basic ") else { return nil }
        return Base64.decode(value.utf8.dropFirst(6)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the request claims to be sent over this very connection; `nil` if it claims nothing.
    var isBoundToConnection: Bool? {
        guard let claim = head.fields.first(ClientRequest.channelBindingField.lowercased()) else {
            return nil
        }
        guard let binding = peer.channelBinding else { return false }
        return claim == "\(TLSEngine.channelBindingName) \(Base64.encode(binding))"
    }
}
