import PinholeLab
import PinholeWire

/// What the plain form says beside a body that is only the refusal of a login.
enum FetchRemark {
    /// Why a response is still a 401 or a 407.
    ///
    /// - Parameters:
    ///   - outcome: The fetch.
    ///   - hasLogin: Whether the command line gave a name and a password for the server.
    /// - Returns: A sentence; `nil` where it is neither, or where nothing else was to be expected.
    static func text(_ outcome: FetchOutcome, hasLogin: Bool) -> String? {
        guard case .success(let response) = outcome.result,
            response.head.status == 401 || response.head.status == 407
        else { return nil }
        // What was said since the last response, and whether a login went out since the last redirect.
        var (notes, answer): ([String], String?) = ([], nil)
        var wasTried = false
        for step in outcome.story.steps {
            switch step {
            case .redirect: wasTried = false
            case .request(_, _, let fields):
                wasTried = wasTried || fields.contains { $0.lowercased().hasPrefix("authorization:") }
            case .response: (notes, answer) = ([], nil)
            case .note(let text): notes.append(text)
            case .disposition(_, let note): answer = note
            default: continue
            }
        }
        let refused = hasLogin && response.head.status == 401
        if refused, wasTried {
            notes.append("the name and password of --user were refused")
        } else if refused {
            notes.append("the name and password of --user were not used" + (answer.map { " (\($0))" } ?? ""))
        } else if notes.count < 2 {
            // A plain refusal: nobody wanted to answer it.
            return nil
        }
        let reason = response.head.reason.isEmpty ? "" : " \(response.head.reason)"
        return "\(response.head.status)\(reason): \(notes.joined(separator: "; "))"
    }
}
