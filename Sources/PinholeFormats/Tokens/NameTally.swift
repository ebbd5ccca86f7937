import PinholeModel

/// Decides which names stay in a redacted copy: those of a registry, those that the user named, and those of identifier
/// form that occur in at least two messages.
///
/// The messages come one after the other, and nothing of them is kept. So a name is *open* in the first message that has
/// it; that message is read again after the last one, when every name is decided.
final class NameTally {
    /// The knowledge about a name.
    private enum State {
        /// A registry or the user names it.
        case registered
        /// The name has no identifier form.
        case other
        /// The name has identifier form, and no message that ended has it.
        case new
        /// A single message has the name.
        case single(Int64)
        /// Several messages have it.
        case several
    }

    /// The largest number of names that are counted; later new ones stay names of one message.
    private static let limit = 1 << 16
    /// The largest number of names and segments whose form is remembered, only to save time.
    private static let remembered = 1 << 11

    /// The names that the user named, and the rules of paths.
    let template: PathTemplate
    /// The counted names, which are of identifier form.
    private var counted: [ByteKey: State] = [:]
    /// The names that are not counted, and the segments of paths, that were seen last.
    private var forms: [ByteKey: State] = [:]
    private var segments: [ByteKey: Bool] = [:]
    /// The names of the message that is being read which no second message is known to have.
    private var names: [ByteKey] = []
    /// Whether an open name is one of a single message.
    private(set) var isFinal = false

    init(_ template: PathTemplate) { self.template = template }

    /// A place in the names of the current message.
    var mark: Int { names.count }

    /// Forgets the names after a mark, which were read in vain.
    func forget(after mark: Int) { names.removeSubrange(mark...) }

    private func state(of name: ArraySlice<UInt8>) -> State {
        let key = ByteKey(name)
        if let known = counted[key] ?? forms[key] { return known }
        guard name.count <= 64 else { return .other }
        let text = String(decoding: name, as: UTF8.self)
        let state: State =
            template.keeps(name: text) ? .registered : SafeNames.hasIdentifierForm(text) ? .new : .other
        if forms.count >= Self.remembered { forms.removeAll(keepingCapacity: true) }
        forms[ByteKey(copying: name)] = state
        return state
    }

    /// Whether a name is registered, or of identifier form.
    func mayKeep(_ name: ArraySlice<UInt8>) -> Bool {
        if case .other = state(of: name) { false } else { true }
    }

    /// Whether a registry or the user names a name, so that it stays however often it occurs.
    func isRegistered(_ name: ArraySlice<UInt8>) -> Bool {
        if case .registered = state(of: name) { true } else { false }
    }

    /// Whether a segment of a path is a route word, or one that the user named.
    ///
    /// `*` in a name of the user stands for characters of a word: parameters of a segment (RFC 3986 §3.3), such as
    /// `;jsessionid=…`, and texts in quotes and brackets stay values.
    func keeps(segment: ArraySlice<UInt8>) -> Bool {
        guard !segment.contains(where: { $0 == 0x26 || HTTPText.isMark($0) }) else { return false }
        guard segment.count <= SafeNames.longest else {
            return template.keeps(segment: String(decoding: segment, as: UTF8.self))
        }
        if let known = segments[ByteKey(segment)] { return known }
        let isKept = template.keeps(segment: String(decoding: segment, as: UTF8.self))
        if segments.count >= Self.remembered { segments.removeAll(keepingCapacity: true) }
        segments[ByteKey(copying: segment)] = isKept
        return isKept
    }

    /// Whether a name stays as far as is known; it is noted for the current message.
    func keeps(_ name: ArraySlice<UInt8>) -> Bool {
        switch state(of: name) {
        case .registered, .several: return true
        case .other: return false
        case .new, .single:
            if !isFinal { names.append(ByteKey(copying: name)) }
            return false
        }
    }

    /// Ends a message, and returns whether one of its names is open.
    func end(of message: Int64) -> Bool {
        defer { names.removeAll(keepingCapacity: true) }
        guard !isFinal else { return false }
        var isOpen = false
        for name in names {
            switch counted[name] {
            case .single(message): isOpen = true
            case .single:
                // The message was written with a token for the name.
                counted[name] = .several
                isOpen = true
            case nil where counted.count < Self.limit:
                counted[name] = .single(message)
                isOpen = true
            default: break
            }
        }
        return isOpen
    }

    /// Decides all names that are open.
    func finish() { isFinal = true }

    /// The noted names that occur in one message alone.
    var single: [[UInt8]] {
        counted.filter { if case .single = $0.value { true } else { false } }.map(\.key.array)
    }
}
