package import PinholeFilter
package import PinholeModel

/// What a rule changes in the content of a message.
package struct BodyEdit: Sendable, Equatable {
    /// One change of a text.
    package enum Step: Sendable, Equatable {
        /// Replaces what an expression matches.
        case replace(Substitution)
        /// Removes a place of a JSON text.
        case removeJSON(JSONPointer)
        /// Sets a place of a JSON text.
        case setJSON(JSONPointer, JSONValue)
    }

    /// What came of an edit.
    package struct Outcome: Sendable, Equatable {
        /// The content; `nil` where it stays as it came.
        package var body: [UInt8]?
        /// What was done, in a few words.
        package var effect: String

        /// Creates an outcome.
        package init(body: [UInt8]? = nil, effect: String) {
            self.body = body
            self.effect = effect
        }
    }

    /// Bytes that content may have after it was changed.
    package static let limit = 64 << 20

    /// What takes the place of all of it; `nil` leaves it.
    package var content: MockAnswer.Content?
    /// The changes, in their order.
    package var steps: [Step] = []

    /// Creates an edit that changes nothing.
    package init() {}

    /// Whether it changes nothing.
    package var isEmpty: Bool { content == nil && steps.isEmpty }

    /// Changes `body`.
    ///
    /// - Parameters:
    ///   - body: The content, without codings; what takes its place where the edit says so and it was read from a file.
    ///   - type: The Content-Type; `nil` where there is none.
    /// - Returns: What came of it.
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
        // Content from a file is new even where it says the same.
        var isNew = made != body
        if case .file = content { isNew = true }
        guard isNew else { return Outcome(effect: trouble ?? "nothing to change in the body") }
        let effect = "changed the body to \(made.count) bytes"
        return Outcome(body: made, effect: trouble.map { "\(effect); \($0)" } ?? effect)
    }
}

/// Why a body cannot be changed.
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
