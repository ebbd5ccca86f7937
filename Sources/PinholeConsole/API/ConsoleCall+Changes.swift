import PinholeFilter
import PinholeModel
import PinholeStore

/// What the API changes.
extension ConsoleCall {
    /// Characters that a comment may have.
    private static let longestComment = 10_000

    func note(_ editor: CaptureEditor) throws -> ConsoleAnswer {
        let id = try id()
        let members = try object()
        if let name = members.keys.sorted().first(where: { !["isMarked", "comment"].contains($0) }) {
            throw Problem(400, "bad body", "expected isMarked and comment, found “\(name.prefix(80))”")
        }
        let isMarked = try boolean(members["isMarked"], "isMarked")
        let comment = try comment(members["comment"])
        let exists = try editor.note(id) { note in
            if let isMarked { note.isMarked = isMarked }
            if let comment { note.comment = comment.isEmpty ? nil : comment }
        }
        guard exists else { throw missing(id) }
        api.edits.append(.noted(id))
        return ConsoleAnswer(204)
    }

    func remove(_ editor: CaptureEditor) throws -> ConsoleAnswer {
        if let ids = try ids() {
            try editor.remove(ids)
        } else {
            let filter = try ConsoleFilter.filter(request.value("filter") ?? "")
            if filter == .everything {
                try editor.removeAll(upTo: try editor.lastID())
            } else {
                // A reader of its own: what is walked here may be long.
                let reader = try CaptureReader(path: api.subject.capture)
                var ids: [Int64] = []
                _ = try reader.trafficIDs(TrafficFilter(filter)) { ids.append($0) }
                try editor.remove(ids)
            }
        }
        api.counter.forget()
        api.ledger.forget()
        api.edits.append(.removed)
        return ConsoleAnswer(204)
    }

    func setRecording() throws -> ConsoleAnswer {
        struct Recording: Encodable {
            let isRecording: Bool
        }
        guard let recording = api.subject.recording else {
            throw Problem(409, "no proxy", "nothing is recorded here: this console shows a file")
        }
        guard let isOn = try boolean(try object()["isRecording"], "isRecording") else {
            throw Problem(400, "bad body", "expected {\"isRecording\": true} or false")
        }
        recording.set(isOn)
        api.edits.append(.switched)
        return .json(Recording(isRecording: recording.isOn()))
    }

    private func boolean(_ value: JSONValue?, _ name: String) throws(Problem) -> Bool? {
        switch value {
        case nil: return nil
        case .boolean(let value): return value
        case let other?: throw Problem.bad(name, expected: "true or false", found: other)
        }
    }

    /// An empty text stands for no comment.
    private func comment(_ value: JSONValue?) throws(Problem) -> String? {
        switch value {
        case nil: return nil
        case .null: return ""
        case .string(let text) where text.count <= Self.longestComment: return text
        case .string:
            throw Problem.bad("comment", expected: "\(Self.longestComment) characters", instead: "more")
        case let other?: throw Problem.bad("comment", expected: "a text or null", found: other)
        }
    }
}
