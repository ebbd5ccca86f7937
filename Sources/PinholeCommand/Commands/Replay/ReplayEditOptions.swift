import ArgumentParser
import PinholeFiles
import PinholeModel
import PinholeRules
import PinholeSession

/// The changes to recorded requests: the members of `rewriteRequest` rules (docs/RULES.md) as flags.
struct ReplayEditOptions: ParsableArguments {
    @Option(help: "Send this method.")
    var method: String?

    @Option(help: .value("name: value", "Set this header, whether the request had it or not."))
    var setHeader: [String] = []

    @Option(help: .value("name: value", "Add a header, also if the request has one of this name."))
    var addHeader: [String] = []

    @Option(help: .value("name", "Remove every header of this name."))
    var removeHeader: [String] = []

    @Option(help: .value("name=value", "Set this parameter of the query."))
    var setQuery: [String] = []

    @Option(help: .value("name", "Remove every parameter of this name."))
    var removeQuery: [String] = []

    @Option(
        help: .value(
            "|find|with",
            "Replace the part of the URL that an expression matches; the first character divides, as in “|v1|v2”."
        )
    )
    var urlReplace: [String] = []

    @Option(help: .value("file", "Send this body, without Content-Encoding."))
    var bodyFile: String?

    @Option(
        help: .value(
            "host:port",
            "Send to this server: HOST[:PORT], with http:// or https:// to change the scheme."
        ),
        transform: { WithheldValue($0, ReplayTarget.init) }
    )
    var to: WithheldValue<ReplayTarget>?

    @Flag(help: "Keep the recorded server in Host, with --to or --url-replace.")
    var keepHost = false

    func validate() throws {
        try to?.check("--to")
        _ = try rule()
    }

    /// Returns the changes for each request.
    ///
    /// - Throws: ``CommandFailure`` if the file of the body cannot be read.
    func edit() throws -> ReplayEdit {
        var body: [UInt8]?
        if let bodyFile {
            body = try CommandFailure.wrapping("no body") {
                try InputFile.content(of: bodyFile, limit: 1 << 30)
            }
        }
        return ReplayEdit(rule: try rule(), target: to?.value, keepsHost: keepHost, body: body)
    }

    /// Returns the flags as a rule; `nil` if none was given.
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

    /// Adds the member of a flag, after a rule with only this member was parsed.
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
            // The value may be “Authorization …” without its colon, so the message does not repeat it.
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

    /// Parses `|find|with`, in which the first character is the separator.
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
