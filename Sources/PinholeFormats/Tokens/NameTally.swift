import PinholeModel

/// Decides which names stay in a redacted copy: those of a registry, those that the user named, and those of identifier
/// form that occur in at least two messages.
///
/// The messages come one after the other, and nothing of them is kept. So a name is *open* in the first message that has
/// it; that message is read again after the last one, when every name is decided.
final class NameTally {
    /// The largest number of names that are remembered; later new ones count as names of one message.
    private static let limit = 1 << 16

    /// The names that the user named, and the rules of paths.
    let template: PathTemplate
    /// The message in which a name was found first; `nil` if another has it, too.
    private var messages: [[UInt8]: Int64?] = [:]
    /// The form of a name.
    private enum Form { case registered, identifier, other }

    private var forms: [[UInt8]: Form] = [:]
    private var segments: [[UInt8]: Bool] = [:]
    /// The names of the message that is being read.
    private var names: [[UInt8]] = []
    /// Whether an open name is one of a single message.
    private(set) var isFinal = false

    /// Creates an empty tally.
    init(_ template: PathTemplate) { self.template = template }

    /// A place in the names of the current message.
    var mark: Int { names.count }

    /// Forgets the names after a mark, which were read in vain.
    func forget(after mark: Int) { names.removeSubrange(mark...) }

    private func form(of name: [UInt8]) -> Form {
        if let known = forms[name] { return known }
        let text = String(decoding: name, as: UTF8.self)
        let form: Form =
            name.count <= 64 && template.keeps(name: text)
            ? .registered : SafeNames.hasIdentifierForm(text) ? .identifier : .other
        if forms.count < Self.limit { forms[name] = form }
        return form
    }

    /// Whether a name is registered, or of identifier form.
    func mayKeep(_ name: ArraySlice<UInt8>) -> Bool { form(of: Array(name)) != .other }

    /// Whether a segment of a path is a route word, or one that the user named.
    func keeps(segment: ArraySlice<UInt8>) -> Bool {
        guard segment.count <= SafeNames.longest else {
            return template.keeps(segment: String(decoding: segment, as: UTF8.self))
        }
        let segment = Array(segment)
        if let known = segments[segment] { return known }
        let isKept = template.keeps(segment: String(decoding: segment, as: UTF8.self))
        if segments.count < Self.limit { segments[segment] = isKept }
        return isKept
    }

    /// Whether a name stays as far as is known; it is noted for the current message.
    func keeps(_ name: ArraySlice<UInt8>) -> Bool {
        let name = Array(name)
        switch form(of: name) {
        case .registered: return true
        case .other: return false
        case .identifier: break
        }
        names.append(name)
        if let known = messages[name] { return known == nil }
        return false
    }

    /// Ends a message, and returns whether one of its names is open.
    func end(of message: Int64) -> Bool {
        defer { names.removeAll(keepingCapacity: true) }
        guard !isFinal else { return false }
        var isOpen = false
        for name in names {
            switch messages[name] {
            case .some(.none): break
            case .some(.some(message)): isOpen = true
            case .some(.some):
                // The message was written with a token for the name.
                messages[name] = .some(.none)
                isOpen = true
            case .none where messages.count < Self.limit:
                messages[name] = .some(.some(message))
                isOpen = true
            case .none: break
            }
        }
        return isOpen
    }

    /// Decides all names that are open.
    func finish() { isFinal = true }

    /// Whether every noted name occurs in two messages.
    var single: [[UInt8]] { messages.filter { $0.value != nil }.map(\.key) }
}
