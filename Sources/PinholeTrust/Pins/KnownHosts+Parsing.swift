import PinholeModel

extension KnownHosts {
    /// Reads a file.
    ///
    /// Empty lines are skipped.
    ///
    /// - Parameter text: Lines `|g0|host|service|expiration|Base64 of the key` and
    ///   `|c0|host|service|expiration|number of the digest|hexadecimal digest`.
    /// - Throws: ``PolicyFailure`` for any other line. GnuTLS skips such a line silently.
    package init(parsing text: some StringProtocol) throws(PolicyFailure) {
        self.init()
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
            do {
                entries.append(try Entry(line))
            } catch {
                throw PolicyFailure("line \(index + 1) of known_hosts: \(error)")
            }
        }
    }

    /// The text of the file.
    package var text: String { entries.map { "\($0)\n" }.joined() }
}

extension KnownHosts.Entry: CustomStringConvertible {
    /// Reads a line.
    ///
    /// - Parameter line: `|g0|…` or `|c0|…`.
    /// - Throws: ``PolicyFailure`` when the line is neither.
    package init(_ line: some StringProtocol) throws(PolicyFailure) {
        // In GnuTLS, the first white space after the last field ends a line.
        let text = line.split(whereSeparator: \.isWhitespace).first ?? ""
        let fields = String(text).split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        let expected = "expected “|g0|host|service|expiration|key”"
        guard fields.count >= 6, fields[0].isEmpty else {
            throw PolicyFailure("“\(line)” has \(fields.count - 1) fields: \(expected)")
        }
        guard let expiration = Int64(fields[4]) else {
            throw PolicyFailure("“\(fields[4])” is no expiration in seconds since 1970: \(expected)")
        }
        switch (fields[1], fields.count) {
        case ("g0", 6):
            guard let key = Base64.decode(fields[5].utf8), !key.isEmpty else {
                throw PolicyFailure("“\(fields[5])” is not Base64 of a key: \(expected)")
            }
            self.init(host: fields[2], service: fields[3], expiration: expiration, key: .spki(key))
        case ("c0", 7):
            guard let algorithm = Int(fields[5]), let digest = Hexadecimal.decode(fields[6]), !digest.isEmpty
            else {
                throw PolicyFailure("“\(fields[5])|\(fields[6])” is not a number and hexadecimal digest")
            }
            self.init(
                host: fields[2],
                service: fields[3],
                expiration: expiration,
                key: .digest(algorithm: algorithm, digest)
            )
        default:
            throw PolicyFailure(
                "“\(line)” begins with “\(fields[1])” and has \(fields.count - 1) fields: \(expected)"
            )
        }
    }

    /// The entry as a line of the file.
    package var description: String {
        let start = "|\(host)|\(service)|\(expiration)|"
        return switch key {
        case .spki(let bytes): "|g0\(start)\(Base64.encode(bytes))"
        case .digest(let algorithm, let bytes): "|c0\(start)\(algorithm)|\(Hexadecimal.encode(bytes))"
        }
    }
}
