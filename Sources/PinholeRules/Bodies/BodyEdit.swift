package import PinholeFilter
package import PinholeModel

/// The changes that a rule makes to the content of a message.
package struct BodyEdit: Sendable, Equatable {
    /// A change of a text.
    package enum Step: Sendable, Equatable {
        /// Replaces the matches of an expression.
        case replace(Substitution)
        /// Removes a value from a JSON text.
        case removeJSON(JSONPointer)
        /// Sets a value in a JSON text.
        case setJSON(JSONPointer, JSONValue)
    }

    /// The result of an edit.
    package struct Outcome: Sendable, Equatable {
        /// The new content; `nil` if it is unchanged.
        package var body: [UInt8]?
        /// The effect in a few words.
        package var effect: String
    }

    /// The largest content after a change, in bytes.
    package static let limit = 64 << 20

    /// The new content as a whole; `nil` to keep the old one.
    package var content: MockAnswer.Content?
    /// The changes, in their order.
    package var steps: [Step] = []

    /// Creates an edit that changes nothing.
    package init() {}

    /// Whether the edit changes nothing.
    package var isEmpty: Bool { content == nil && steps.isEmpty }

    /// Changes `body`.
    ///
    /// - Parameters:
    ///   - body: The decoded content. If the edit replaces the content by a file, this is the content of that file.
    ///   - type: The Content-Type; `nil` if there is none.
    /// - Returns: The result.
    package func applied(to body: [UInt8], type: String?) -> Outcome {
        var made = body
        if case .bytes(let bytes) = content { made = bytes }
        var obstacles: [String] = []
        for step in steps {
            do throws(BodyObstacle) {
                try step.apply(to: &made, type: type)
            } catch {
                if !obstacles.contains(error.text) { obstacles.append(error.text) }
            }
        }
        let trouble = obstacles.isEmpty ? nil : "not applied: " + obstacles.joined(separator: "; ")
        // Content from a file counts as new even if it equals the old content.
        var isNew = made != body
        if case .file = content { isNew = true }
        guard isNew else { return Outcome(effect: trouble ?? "nothing to change in the body") }
        let effect = "changed the body to \(made.count) bytes"
        return Outcome(body: made, effect: trouble.map { "\(effect); \($0)" } ?? effect)
    }
}

/// The reason why a body cannot be changed.
struct BodyObstacle: Error, Equatable {
    /// The reason.
    let text: String
}

extension BodyEdit.Step {
    fileprivate func apply(to body: inout [UInt8], type: String?) throws(BodyObstacle) {
        switch self {
        case .replace(let substitution):
            if let obstacle = BodyText.obstacle(toText: body, type: type) { throw obstacle }
            if let made = substitution.replacing(in: body, limit: BodyEdit.limit) { body = made }
        case .removeJSON(let pointer):
            var editor = try Self.editor(body, type)
            if editor.remove(pointer) { body = editor.text }
        case .setJSON(let pointer, let value):
            var editor = try Self.editor(body, type)
            guard editor.set(pointer, to: value) else {
                throw BodyObstacle(text: "the body has no place for \(pointer.text)")
            }
            body = editor.text
        }
    }

    private static func editor(_ body: [UInt8], _ type: String?) throws(BodyObstacle) -> JSONEditor {
        if let obstacle = BodyText.obstacle(toJSON: body, type: type) { throw obstacle }
        do throws(DocumentFailure) {
            return try JSONEditor(body)
        } catch {
            throw BodyObstacle(text: "the body is not valid JSON: \(error)")
        }
    }
}
