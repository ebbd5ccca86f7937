import ArgumentParser
import Foundation
import PinholeFilter
import PinholeLab
import PinholeModel
import PinholeRules
import PinholeTrust

/// What is different from the recorded requests: the words of `rewriteRequest` rules (docs/RULES.md) as flags.
struct ReplayEditOptions: ParsableArguments {
    @Option(help: "Another method.")
    var method: String?

    @Option(
        help: ArgumentHelp("The field has this value, whether it was there or not.", valueName: "name: value")
    )
    var setHeader: [String] = []

    @Option(help: ArgumentHelp("Another line of this field.", valueName: "name: value"))
    var addHeader: [String] = []

    @Option(help: ArgumentHelp("Every field of this name goes.", valueName: "name"))
    var removeHeader: [String] = []

    @Option(help: ArgumentHelp("The parameter of the query has this value.", valueName: "name=value"))
    var setQuery: [String] = []

    @Option(help: ArgumentHelp("Every parameter of this name goes.", valueName: "name"))
    var removeQuery: [String] = []

    @Option(
        help: ArgumentHelp(
            "Replace what an expression matches in the URL; the first character divides, as in “|v1|v2”.",
            valueName: "|find|with"
        )
    )
    var urlReplace: [String] = []

    @Option(help: ArgumentHelp("Another body; Content-Encoding goes.", valueName: "file"))
    var bodyFile: String?

    @Option(
        help: ArgumentHelp(
            "Ask this server: HOST[:PORT], with http:// or https:// where the scheme is another one.",
            valueName: "host:port"
        ),
        transform: { WithheldValue($0, ReplayTarget.init) }
    )
    var to: WithheldValue<ReplayTarget>?

    @Flag(help: "Go on naming the recorded server in Host, with --to or --url-replace.")
    var keepHost = false

    func validate() throws {
        try to?.check("--to")
        _ = try rule()
    }

    /// What is done with each request.
    ///
    /// - Throws: ``CommandFailure`` where the file of the body cannot be read.
    func edit() throws -> ReplayEdit {
        var body: [UInt8]?
        if let bodyFile {
            do throws(PolicyFailure) {
                body = try PolicyFile.content(of: bodyFile, limit: 1 << 30)
            } catch {
                throw CommandFailure(.couldNotRun, "no body: \(error)")
            }
        }
        return ReplayEdit(rule: try rule(), target: to?.value, keepsHost: keepHost, body: body)
    }

    /// The flags as a rule; `nil` where none was given.
    private func rule() throws -> Rule? {
        var members: [String: JSONValue] = [:]
        if let method { try add("--method", "method", .string(method), to: &members) }
        let lists = [
            ("--remove-header", "remove", removeHeader), ("--set-header", "set", setHeader),
            ("--add-header", "add", addHeader), ("--set-query", "setQuery", setQuery),
            ("--remove-query", "removeQuery", removeQuery),
        ]
        for (flag, key, texts) in lists where !texts.isEmpty {
            try add(flag, key, .array(texts.map(JSONValue.string)), to: &members)
        }
        if !urlReplace.isEmpty {
            try add("--url-replace", "url", .array(urlReplace.map(Self.substitution)), to: &members)
        }
        return members.isEmpty ? nil : try Self.rule(members)
    }

    /// Adds what a flag says, once a rule of it alone was understood.
    private func add(
        _ flag: String,
        _ key: String,
        _ value: JSONValue,
        to members: inout [String: JSONValue]
    ) throws {
        do throws(DocumentFailure) {
            _ = try Self.rule([key: value])
        } catch {
            let failure = error
            let isHost = failure.found.hasPrefix("“Host”") || failure.found.hasPrefix("“host”")
            let remedy = isHost ? "--to names another server" : failure.remedy
            // What came may be “Authorization …” without its colon, so it is not repeated.
            let isField = flag == "--set-header" || flag == "--add-header"
            let found = isField && !failure.found.contains(":") ? "no colon after a name" : failure.found
            throw ValidationError(
                "\(flag): expected \(failure.expected), found \(found)"
                    + (remedy.isEmpty ? "" : "; \(remedy)")
            )
        }
        members[key] = value
    }

    private static func rule(_ members: [String: JSONValue]) throws(DocumentFailure) -> Rule {
        let object = members.merging(["do": .string(RuleKind.rewriteRequest.rawValue)]) { $1 }
        return try Rule(.object(object), number: 1, path: "")
    }

    /// `|find|with`, whatever the first character is.
    private static func substitution(_ text: String) throws -> JSONValue {
        let parts = text.dropFirst().split(
            separator: text.first ?? "|",
            omittingEmptySubsequences: false
        )
        guard text.count > 2, parts.count == 2 || parts.count == 3 && parts[2].isEmpty, !parts[0].isEmpty
        else {
            throw ValidationError("--url-replace: expected “|FIND|WITH”, found “\(text)”")
        }
        return .object(["find": .string(String(parts[0])), "with": .string(String(parts[1]))])
    }
}
