/// A value in source code, as far as the code writes it out.
package indirect enum SourceValue: Sendable {
    /// A text, with the expressions in it that are not known.
    case text(SourceText)
    /// `true`, `YES`, `True` or their opposites.
    case boolean(Bool)
    /// A whole number.
    case integer(Int64)
    /// `null`, `nil`, `None` or `undefined`.
    case null
    /// An array, a set or a dictionary: `[…]`, `{…}`, `listOf(…)`.
    case collection([SourceElement])
    /// A call, or an object with settings.
    case call(SourceCall)
    /// A function without a name.
    case closure(SourceClosure)
    /// Any other expression.
    case other(SourceExpression)

    /// The whole text; `nil` if the value is none, or a part of it is not known.
    package var wholeText: String? {
        guard case .text(let text) = self else { return nil }
        return text.whole
    }

    /// The elements of a collection; `nil` for other values.
    package var elements: [SourceElement]? {
        guard case .collection(let elements) = self else { return nil }
        return elements
    }

    /// The truth of a boolean; `nil` for other values.
    package var truth: Bool? {
        guard case .boolean(let truth) = self else { return nil }
        return truth
    }

    /// The last name of a call or of an expression that is a name; `nil` for other values.
    package var lastName: String? {
        switch self {
        case .call(let call): call.name
        case .other(let expression): expression.lastName
        default: nil
        }
    }

    /// The pieces of the text that the value is in another text.
    var pieces: [SourceToken.Piece] {
        switch self {
        case .text(let text): text.pieces
        case .integer(let number): [.text("\(number)")]
        default: [.expression(code)]
        }
    }

    /// The bytes of a text, and about those of the elements of a collection, without what is within them.
    var size: Int {
        switch self {
        case .text(let text): text.size
        case .collection(let elements): elements.count * 64
        case .boolean, .integer, .null, .call, .closure, .other: 64
        }
    }

    /// The value as a message shows it.
    package var code: String {
        switch self {
        case .text(let text): text.code
        case .boolean(let truth): "\(truth)"
        case .integer(let number): "\(number)"
        case .null: "null"
        case .collection: "a collection"
        case .call(let call): call.code
        case .closure: "a closure"
        case .other(let expression): expression.code
        }
    }
}

/// An expression of source code whose value the code does not show.
package struct SourceExpression: Sendable {
    /// The expression as it is written.
    package let code: String
    /// The last part of its name, if it is a name alone.
    package let lastName: String?
}

/// An element of a collection, or an argument of a call.
package struct SourceElement: Sendable {
    /// The name in front of a colon or an equals sign, or the key if it is a name alone.
    package let label: String?
    /// The value of the key; `nil` if there is none.
    package let key: SourceValue?
    /// The element itself, without its key.
    package let value: SourceValue
    /// The line on which the element begins.
    package let line: Int

    /// The text of the key, or its name.
    package var name: String? { key?.wholeText ?? label }

    init(label: String? = nil, key: SourceValue? = nil, _ value: SourceValue, line: Int) {
        self.label = label
        self.key = key
        self.value = value
        self.line = line
    }
}

/// A call, `Builder(…)` or `[Policy policyWithMode:…]`, or an object with settings, `Config{…}`.
package struct SourceCall: Sendable {
    /// The last part of the name; for Objective-C the first part of the message.
    package let name: String
    /// The whole name, or the receiver of the message and its parts.
    package let path: String
    /// The arguments in their order, with those of a closure behind the parentheses.
    package let arguments: [SourceElement]
    /// The call as it is written.
    package let code: String
    /// The line of the call.
    package let line: Int

    /// The argument with a label.
    package func argument(_ label: String) -> SourceValue? {
        arguments.first { $0.label == label }?.value
    }
}

/// A function without a name, or the body of one with a name.
package struct SourceClosure: Sendable {
    /// The names of its parameters.
    package let parameters: [String]
    /// The tokens of its body, without the braces.
    package let body: Range<Int>
    /// Whether the body is an expression and no list of statements.
    package let isExpression: Bool
}
