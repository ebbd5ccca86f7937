import PinholeModel
import PinholeWire

extension RequestHead {
    /// The head as it is recorded: byte for byte as it came, but for the password of the proxy itself,
    /// which must not travel with a capture that is handed to somebody.
    var recorded: [UInt8] {
        guard fields.contains("proxy-authorization") else { return raw }
        let startLine = raw.prefix(through: raw.firstIndex(of: 0x0a) ?? raw.startIndex)
        let lines = fields.indices.map { index in
            fields.isNamed("proxy-authorization", at: index)
                ? Array("Proxy-Authorization: (removed)\r\n".utf8) : Array(fields.line(at: index))
        }
        return Array(startLine) + lines.joined() + [0x0d, 0x0a]
    }
}
