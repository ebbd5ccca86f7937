import PinholeModel
import PinholeSession

/// A question in the last line of the screen.
enum TopPrompt: Equatable, Sendable {
    /// The filter of the list, and what is wrong with it.
    case filter(LineEditor, problem: Problem?)
    /// The text to search in the detail.
    case search(LineEditor)
    /// The comment of an exchange.
    case comment(LineEditor, id: Int64)
    /// The file for a curl command, or for a body.
    case file(LineEditor, id: Int64, side: BodyOwner?)
    /// The order of the list, by a key.
    case order
    /// Whether to do something that cannot be undone.
    case confirm(String, [TopEffect])

    /// The text before the input.
    var label: String {
        switch self {
        case .filter: "filter: "
        case .search: "search: "
        case .comment: "comment: "
        case .file(_, _, let side):
            side.map { "write the body of the \($0.rawValue) to: " } ?? "write the curl command to: "
        case .order:
            "by: "
                + TopSort.allCases.map { $0.name.marking($0.key) }.joined(separator: " ")
        case .confirm(let question, _): "\(question) (y/n) "
        }
    }

    /// The text that is edited; `nil` for a question that a key answers.
    var editor: LineEditor? {
        switch self {
        case .filter(let editor, _), .search(let editor), .comment(let editor, _), .file(let editor, _, _):
            editor
        case .order, .confirm: nil
        }
    }

    /// Returns the prompt with another text.
    func replacing(_ editor: LineEditor) -> TopPrompt {
        switch self {
        case .filter(_, let problem): .filter(editor, problem: problem)
        case .search: .search(editor)
        case .comment(_, let id): .comment(editor, id: id)
        case .file(_, let id, let side): .file(editor, id: id, side: side)
        case .order, .confirm: self
        }
    }
}

extension String {
    /// Returns a word in which the letter of its key stands in parentheses.
    fileprivate func marking(_ key: Character) -> String {
        guard let place = firstIndex(of: key) else { return "(\(key)) \(self)" }
        return self[..<place] + "(\(key))" + self[index(after: place)...]
    }
}
