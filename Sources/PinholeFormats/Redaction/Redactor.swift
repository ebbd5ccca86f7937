import PinholeContent
import PinholeModel
import PinholeWire

/// Replaces secrets in messages by tags.
///
/// First every message is shown to ``collect(_:)``; then ``redacted(_:)`` replaces, in every message, the secrets at the
/// places where they were recognised, and each unusual one wherever else it occurs, in every spelling.
package struct Redactor: Sendable {
    /// A message with its whole body.
    package struct Message: Sendable {
        /// The head, byte for byte.
        package var head: [UInt8]
        /// The body as it was sent, with its codings.
        package var body: [UInt8]
        /// The trailers, byte for byte.
        package var trailers: [UInt8]

        /// Creates a message.
        package init(head: [UInt8], body: [UInt8] = [], trailers: [UInt8] = []) {
            self.head = head
            self.body = body
            self.trailers = trailers
        }

        /// The fields of the head, which are read each time.
        var fields: HeaderFields { MessageRecord(head: head).fields }

        /// The body without its codings; `nil` if it cannot be decoded.
        package var content: [UInt8]? { content(fields) }

        /// Returns the body without the codings that its fields name; `nil` if it cannot be decoded.
        func content(_ fields: HeaderFields) -> [UInt8]? {
            if body.isEmpty { return [] }
            // Base64 in pieces hides what is in it.
            if StreamFormat(fields) == .grpcWebText { return nil }
            let content = try? ContentDecoder.decode(body, codings: fields.list("content-encoding"))
            let coding = fields.first("grpc-encoding") ?? fields.first("connect-content-encoding")
            guard let content, let coding, coding != "identity" else { return content }
            return Self.decompressed(content, coding, StreamFormat(fields))
        }
    }

    private let finder: SecretFinder
    private let tags: SecretTags
    private var secrets: Set<Secret>
    /// The lines of heads in which secrets were looked for.
    private var known = KnownLines<Void>()
    private var search = SpellingSearch([])
    /// The secrets that ``search`` finds, in their order there.
    private var sought: [Secret] = []

    /// Creates a redactor.
    ///
    /// - Parameters:
    ///   - finder: Finds secrets.
    ///   - named: Values that the user named, which are secret wherever they occur.
    ///   - tags: Makes the tags.
    package init(_ finder: SecretFinder, named: [String] = [], tags: SecretTags = SecretTags()) {
        self.finder = finder
        self.tags = tags
        secrets = Set(named.map { Secret(.named, Array($0.utf8)) })
    }

    /// All secrets that were collected.
    package var collected: Set<Secret> { secrets }

    /// The secrets that are looked for everywhere.
    package var searched: [Secret] { secrets.filter(\.isSearchable) }

    /// Collects the secrets of a message.
    package mutating func collect(_ message: Message) {
        let parts = message.head.split(separator: 0x0a, maxSplits: 1, omittingEmptySubsequences: false)
        if let first = parts.first { add(finder.findings(inHead: Array(first))) }
        for section in parts.dropFirst() + [message.trailers[...]] {
            for line in Self.fieldLines(section) where known[line] == nil {
                known[line] = ()
                let isFolded = line.contains(0x0a)
                let text = isFolded ? line.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 } : Array(line)
                add(finder.findings(inHead: [0x0a] + text))
            }
        }
        let fields = message.fields
        guard let content = message.content(fields) else { return }
        collect(content, .of(fields, content))
    }

    /// The field lines of a section; one that goes on in the next line (obsolete folding, RFC 9112 §5.2) is one line.
    private static func fieldLines(_ section: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        for line in section.split(separator: 0x0a) {
            if let last = lines.last, line.first == 0x20 || line.first == 0x09 {
                lines[lines.count - 1] = section[last.startIndex..<line.endIndex]
            } else {
                lines.append(line)
            }
        }
        return lines
    }

    /// Collects the secrets of a content.
    package mutating func collect(_ content: [UInt8], _ form: SecretFinder.Form) {
        add(finder.findings(in: content, form))
    }

    /// Notes a secret.
    package mutating func collect(_ secret: Secret) { secrets.insert(secret) }

    /// Notes secrets.
    mutating func collect(_ found: Set<Secret>) { secrets.formUnion(found) }

    private mutating func add(_ findings: [SecretFinder.Finding]) {
        for finding in findings {
            secrets.insert(finding.secret)
            // The user name and the password of Basic (RFC 7617 §2) may appear apart from each other.
            guard finding.secret.kind == .credential, let plain = Base64.decode(finding.secret.value),
                let colon = plain.firstIndex(of: 0x3a), String(validating: plain, as: UTF8.self) != nil
            else { continue }
            for part in [plain[..<colon], plain[(colon + 1)...]] where !part.isEmpty {
                secrets.insert(Secret(.credential, Array(part)))
            }
        }
    }

    /// Prepares the replacement of what was collected.
    package mutating func prepare() {
        sought = searched.sorted { one, other in
            // A value of several kinds has the same kind in each run.
            one.value == other.value
                ? one.kind.rawValue < other.kind.rawValue
                : one.value.lexicographicallyPrecedes(other.value)
        }
        search = SpellingSearch(sought.map(\.value))
    }

    /// Returns the secrets that occur in a content, with their spellings and places, none of which overlaps another.
    package func occurrences(
        in content: [UInt8]
    ) -> [(secret: Secret, spelling: Spelling, range: Range<Int>)] {
        search.occurrences(in: content).map { (sought[$0.value], $0.spelling, $0.range) }
    }

    /// Returns the tag of a secret.
    package func tag(_ secret: Secret) -> String { tags.tag(secret) }

    /// Returns a text of a record, such as the reason of a failure, without secrets; it may quote a URL or a field.
    package func redacted(_ text: String) -> String {
        String(decoding: redacted(head: Array(text.utf8)), as: UTF8.self)
    }

    /// Returns a content without secrets.
    package func redacted(_ content: [UInt8], _ form: SecretFinder.Form) -> [UInt8] {
        let keepsLength = form == .binary
        return replaced(
            replaced(content, finder.findings(in: content, form), keepsLength),
            keepsLength: keepsLength
        )
    }

    /// Returns a head without secrets.
    package func redacted(head: [UInt8]) -> [UInt8] {
        replaced(replaced(head, finder.findings(inHead: head), false), keepsLength: false)
    }

    /// Returns a message without secrets, and whether its body could be read.
    ///
    /// A body that cannot be decoded is left out, because nobody can tell what is in it.
    package func redacted(_ message: Message) -> (message: Message, hasBody: Bool) {
        var redacted = Message(head: redacted(head: message.head))
        if !message.trailers.isEmpty {
            redacted.trailers = Array(self.redacted(head: [0x0a] + message.trailers).dropFirst())
        }
        let fields = message.fields
        guard let content = message.content(fields) else { return (redacted, false) }
        let form = SecretFinder.Form.of(fields, content)
        let clean = self.redacted(content, form)
        if clean == content {
            redacted.body = message.body
            return (redacted, true)
        }
        let codings = fields.list("content-encoding")
        redacted.body = ContentEncoder.encode(clean, codings: codings) ?? clean
        redacted.setLength()
        return (redacted, true)
    }

    private func replaced(
        _ content: [UInt8],
        _ findings: [SecretFinder.Finding],
        _ keepsLength: Bool
    ) -> [UInt8] {
        replaced(content, findings.map { ($0.range, $0.secret, $0.isNumber) }, keepsLength)
    }

    private func replaced(_ content: [UInt8], keepsLength: Bool) -> [UInt8] {
        replaced(content, occurrences(in: content).map { ($0.range, $0.secret, false) }, keepsLength)
    }

    private func replaced(
        _ content: [UInt8],
        _ places: [(range: Range<Int>, secret: Secret, isNumber: Bool)],
        _ keepsLength: Bool
    ) -> [UInt8] {
        guard !places.isEmpty else { return content }
        var result: [UInt8] = []
        result.reserveCapacity(content.count)
        var position = 0
        for place in places {
            result += content[position..<place.range.lowerBound]
            let tag =
                keepsLength
                ? tags.tag(place.secret, length: place.range.count) : Array(tags.tag(place.secret).utf8)
            result += place.isNumber ? [0x22] + tag + [0x22] : tag
            position = place.range.upperBound
        }
        return result + content[position...]
    }
}

extension Redactor.Message {
    /// Returns the messages of gRPC or Connect, none of them compressed; `nil` if one cannot be read.
    fileprivate static func decompressed(
        _ content: [UInt8],
        _ coding: String,
        _ format: StreamFormat?
    ) -> [UInt8]? {
        guard let format, var cutter = StreamCutter(content, format) else { return content }
        var result: [UInt8] = []
        var room = ContentDecoder.limit
        while let message = cutter.next() {
            guard case .frame(let frame) = message.content, message.isComplete else { return nil }
            var payload = Array(cutter.payload(of: message))
            if frame.isCompressed {
                let plain = try? ContentDecoder.decode(payload, codings: [coding], limit: room)
                guard let plain else { return nil }
                payload = plain
                room -= plain.count
            }
            result.append(frame.flags & 0xfe)
            result += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: payload.count >> $0) } + payload
        }
        return result
    }

    /// Makes Content-Length agree with the body.
    fileprivate mutating func setLength() {
        var fields = fields
        guard fields.contains("content-length") else { return }
        let start = head.firstIndex(of: 0x0a).map { $0 + 1 } ?? head.endIndex
        fields.replace("content-length", by: String(body.count))
        head = head[..<start] + fields.section + [0x0d, 0x0a]
    }
}
