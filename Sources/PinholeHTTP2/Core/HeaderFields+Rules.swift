import CNghttp2
import PinholeModel

extension HeaderFields {
    /// What a list of fields is sent as.
    enum Section {
        /// The head of a request.
        case request
        /// The head of a response.
        case response
        /// What follows a body.
        case trailers
    }

    /// Checks the rules of RFC 9113 §8 that a recipient checks too, before anything is sent.
    ///
    /// - Parameter section: What the fields are sent as.
    /// - Throws: ``HTTP2Failure`` that names the first field that must not be sent.
    func checkSendable(as section: Section) throws(HTTP2Failure) {
        var mayBePseudo = section != .trailers
        for index in indices {
            let name = name(at: index)
            let isPseudo = name.first == 0x3a
            guard !isPseudo || mayBePseudo else {
                throw .misuse(
                    "expected pseudo-fields at the start of a head alone, but \(HTTP2Text.excerpt(name)) came later"
                )
            }
            mayBePseudo = isPseudo
            guard isWellFormed(name, isPseudo), isWellFormed(value: value(at: index)) else {
                throw .misuse(
                    "expected a field of plain characters, but \(HTTP2Text.excerpt(name)) holds others"
                )
            }
            guard !isConnectionSpecific(index) else {
                throw .misuse(
                    "expected fields that HTTP/2 has, but \(HTTP2Text.excerpt(name)) belongs to one connection"
                )
            }
        }
        let first = section == .request ? ":method" : section == .response ? ":status" : nil
        if let first, !contains(first) { throw .misuse("expected a head with \(first), but it has none") }
    }

    private func isWellFormed(_ name: ArraySlice<UInt8>, _ isPseudo: Bool) -> Bool {
        let token = isPseudo ? name.dropFirst() : name
        return !token.isEmpty
            && token.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x5e...0x7a, 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x7c,
                    0x7e:
                    true
                default: false
                }
            }
    }

    private func isWellFormed(value: ArraySlice<UInt8>) -> Bool {
        value.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7f }
    }

    private func isConnectionSpecific(_ index: Int) -> Bool {
        switch nameLength(at: index) {
        case 2: isNamed("te", at: index) && value(at: index).map { $0 | 0x20 } != Array("trailers".utf8)
        case 7: isNamed("upgrade", at: index)
        case 10: isNamed("connection", at: index) || isNamed("keep-alive", at: index)
        case 16: isNamed("proxy-connection", at: index)
        case 17: isNamed("transfer-encoding", at: index)
        default: false
        }
    }
}
