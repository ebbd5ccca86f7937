import PinholeClient
import PinholeWire

/// Remarks of the plain output on responses whose body only refuses a login.
enum FetchRemark {
    /// Returns the reason why the response is still a 401 or a 407.
    ///
    /// - Parameters:
    ///   - outcome: The fetch.
    ///   - hasLogin: Whether the command line has a user name and a password for the server.
    /// - Returns: A sentence; `nil` for other statuses, or if the refusal was to be expected.
    static func text(_ outcome: FetchOutcome, hasLogin: Bool) -> String? {
        guard case .success(let response) = outcome.result,
            response.head.status == 401 || response.head.status == 407
        else { return nil }
        // The notes since the last response, and whether a login was sent since the last redirect.
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
            // The server refused, and the client had no login to send.
            return nil
        }
        let reason = response.head.reason.isEmpty ? "" : " \(response.head.reason)"
        return "\(response.head.status)\(reason): \(notes.joined(separator: "; "))"
    }
}
