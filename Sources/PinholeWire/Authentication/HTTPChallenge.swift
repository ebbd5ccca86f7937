/// A challenge of a WWW-Authenticate or Proxy-Authenticate field (RFC 9110 §11.3).
package struct HTTPChallenge: Hashable, Sendable {
    /// A parameter of a challenge, `name=value`.
    package struct Parameter: Hashable, Sendable {
        /// The name in lower case; parameter names are case-insensitive.
        package let name: String
        /// The bytes of the value without quotes and escapes.
        ///
        /// A client that has to return the value sends these bytes.
        package let bytes: [UInt8]

        /// Creates a parameter.
        package init(_ name: String, _ value: String) { self.init(name, Array(value.utf8)) }

        /// Creates a parameter whose value is not text.
        package init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }

        /// The value as text: UTF-8 if it is valid, otherwise ISO 8859-1 (RFC 9110 §5.5).
        package var value: String {
            String(validating: bytes, as: UTF8.self)
                ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }

    /// The scheme as the server wrote it, such as `Basic`.
    package let scheme: String
    /// The single value that some schemes have instead of parameters; `nil` if there is none.
    package var token: String?
    /// The parameters in their order, each name at most once.
    package var parameters: [Parameter] = []

    /// Whether the scheme is `name`, in any case.
    package func isScheme(_ name: String) -> Bool { scheme.lowercased() == name.lowercased() }

    /// The value of the parameter `name`, given in lower case.
    package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The bytes of the value of the parameter `name`, given in lower case.
    package func bytes(of name: String) -> [UInt8]? { parameters.first { $0.name == name }?.bytes }
}

/// The reason why the value of an authentication field cannot be read.
package struct HTTPChallengeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence with the expected and the actual text.
    package let description: String

    init(expected: String, at rest: ArraySlice<UInt8>) {
        let found = rest.isEmpty ? "the end of the field" : HTTP1Failure.excerpt(rest)
        description = "expected \(expected) in a list of authentication challenges, found \(found)"
    }

    init(repeated name: String, in scheme: String) {
        description = "the \(scheme) challenge has “\(name)” more than once (RFC 9110 §11.2 allows it once)"
    }
}

extension HTTPChallenge {
    /// Reads the challenges of one field.
    ///
    /// The commas between challenges and those between parameters look alike (RFC 9110 §11.6.1). If an equals
    /// sign follows the first word after a comma, the word is a parameter; otherwise it is a scheme.
    ///
    /// - Parameter value: The field's value. If there are several fields, each is read by a separate call.
    /// - Returns: The challenges in their order.
    /// - Throws: ``HTTPChallengeFailure`` when the value breaks the grammar.
    package static func parse(
        _ value: some Collection<UInt8>
    ) throws(HTTPChallengeFailure) -> [HTTPChallenge] {
        var cursor = ChallengeCursor(Array(value)[...])
        var challenges: [HTTPChallenge] = []
        cursor.skipSeparators()
        while !cursor.isAtEnd {
            challenges.append(try cursor.challenge())
            cursor.skipSeparators()
        }
        return challenges
    }
}

/// Reads challenges from the front of a field's value.
private struct ChallengeCursor {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// Skips white space and commas; a list may have empty members (RFC 9110 §5.6.1.2).
    mutating func skipSeparators() {
        rest = rest.drop { Grammar.isBlank($0) || $0 == 0x2c }
    }

    mutating func challenge() throws(HTTPChallengeFailure) -> HTTPChallenge {
        guard let scheme = word() else { throw HTTPChallengeFailure(expected: "a scheme", at: rest) }
        guard rest.first.map(Grammar.isBlank) ?? true || rest.first == 0x2c else {
            throw HTTPChallengeFailure(expected: "a space behind the scheme “\(scheme)”", at: rest)
        }
        skipBlanks()
        if let token = token68() { return HTTPChallenge(scheme: scheme, token: token) }
        var parameters: [HTTPChallenge.Parameter] = []
        while let parameter = try parameter() {
            guard !parameters.contains(where: { $0.name == parameter.name }) else {
                throw HTTPChallengeFailure(repeated: parameter.name, in: scheme)
            }
            parameters.append(parameter)
            skipBlanks()
            guard rest.isEmpty || rest.first == 0x2c else {
                throw HTTPChallengeFailure(expected: "a comma behind “\(parameter.name)”", at: rest)
            }
        }
        return HTTPChallenge(scheme: scheme, parameters: parameters)
    }

    /// Reads the value of schemes without parameters: letters, digits and `-._~+/`, with `=` at the end, up to a comma.
    private mutating func token68() -> String? {
        let body = rest.prefix { Self.isToken68($0) }
        let padding = rest.dropFirst(body.count).prefix { $0 == 0x3d }
        let behind = rest.dropFirst(body.count + padding.count).drop { Grammar.isBlank($0) }
        guard !body.isEmpty, behind.isEmpty || behind.first == 0x2c else { return nil }
        defer { rest = behind }
        return String(decoding: body + padding, as: UTF8.self)
    }

    private static func isToken68(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e, 0x2b, 0x2f: true
        default: false
        }
    }

    /// Reads the next parameter; `nil` if the next part is another challenge or the end.
    private mutating func parameter() throws(HTTPChallengeFailure) -> HTTPChallenge.Parameter? {
        let start = rest
        skipSeparators()
        guard let name = word() else { return nil }
        skipBlanks()
        guard rest.first == 0x3d else {
            rest = start
            return nil
        }
        rest = rest.dropFirst()
        skipBlanks()
        if rest.first == 0x22 { return HTTPChallenge.Parameter(name.lowercased(), try quoted()) }
        guard let value = word() else {
            throw HTTPChallengeFailure(expected: "a value for “\(name)”", at: rest)
        }
        return HTTPChallenge.Parameter(name.lowercased(), value)
    }

    /// Reads a quoted-string (RFC 9110 §5.6.4).
    private mutating func quoted() throws(HTTPChallengeFailure) -> [UInt8] {
        let start = rest
        rest = rest.dropFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case 0x22: return text
            case 0x5c:
                guard let escaped = rest.popFirst() else { break }
                text.append(escaped)
            default: text.append(byte)
            }
        }
        throw HTTPChallengeFailure(expected: "a closing quotation mark", at: start)
    }

    private mutating func word() -> String? {
        let word = rest.prefix { Grammar.isToken($0) }
        guard !word.isEmpty else { return nil }
        rest = rest.dropFirst(word.count)
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func skipBlanks() { rest = rest.drop { Grammar.isBlank($0) } }
}
