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

    /// The head as it is recorded where a rule made another request of it.
    var rebuilt: [UInt8] {
        let lines = fields.indices.filter { !fields.isNamed("proxy-authorization", at: $0) }
            .map { Array(fields.line(at: $0)) }
        return Array("\(method) \(rawTarget) \(version.text)\r\n".utf8) + lines.joined() + [0x0d, 0x0a]
    }
}

extension ResponseHead {
    /// The head as it is recorded where a rule made another response of it.
    var rebuilt: [UInt8] {
        Array("\(version.text) \(status) \(reason)\r\n".utf8) + fields.section + [0x0d, 0x0a]
    }
}
