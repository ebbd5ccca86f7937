package import PinholeFiles
package import PinholeModel
package import PinholeSource
package import PinholeTrust

/// A policy file of any kind, recognised by its content.
package struct PolicyFile: Sendable {
    /// The kinds of policy files.
    package struct Kind: RawRepresentable, Hashable, Sendable, CaseIterable {
        /// The kind in words.
        package let rawValue: String

        /// Creates a kind of its words.
        package init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The facts that a reader has to know beside the file.
    package struct Options {
        /// The name of the file, for Android's `NAME_debug.xml` beside it; `nil` if it has none.
        package var name: String?
        /// The SDK that an Android app was made for.
        package var targetSdk = 34
        /// Whether an Android build is debuggable.
        package var debug = false
        /// The hosts of pins, for files that name none.
        package var hosts: [Host] = []
        /// The files whose constants source code may use.
        package var project: SourceProject?

        /// Creates the defaults.
        package init() {}
    }

    /// The kinds that the file is of; an Info.plist may be of two.
    package internal(set) var kinds: [Kind]
    /// The policies in the file, one for each kind.
    package internal(set) var policies: [any TrustPolicy]
    /// The hosts that the file names beside the policies: the owners of TLSA records, the URL of a curl command.
    package var bystanders: [Host] = []
    /// The same hosts with the ports that the file names; empty if every port counts.
    var places: [HostPattern] = []
    /// Whether each policy is of a client of its own, such as a library in source code; otherwise all of them judge
    /// every server.
    package var isOfSeveralClients = false
    /// The SHA-256 of its contents in hexadecimal, made by ``NamedFiles``.
    package var digest: String?

    /// The findings of the reader, in the order of the document.
    package var findings: [LintFinding] = []

    /// The lines of the file; `nil` if it is no text.
    package var lines: PolicyLines?

    /// The policy of the file: the only one, or the combination of all.
    package var policy: any TrustPolicy {
        guard let first = policies.first, policies.count == 1 else { return AllPolicy(of: policies) }
        return first
    }

    /// Returns the policy, limited to the hosts that the file names beside it.
    ///
    /// TLSA records say nothing about hosts other than their owners. A curl command is for the host of its URL.
    ///
    /// - Parameter kinds: The kinds of files that are limited; others are not.
    /// - Returns: The policy for those hosts, or the whole policy.
    package func policy(ofOwnersIn kinds: Set<Kind>) -> any TrustPolicy {
        let owners = bystanders.compactMap { try? HostPattern($0.uriText) }
        guard let kind = self.kinds.first, self.kinds.count == 1, kinds.contains(kind), !owners.isEmpty else {
            return policy
        }
        return HostPolicies([(owners, policy)])
    }

    /// The policy for comparisons with other files, limited to the hosts and ports that a command or a record names.
    package var comparedPolicy: any TrustPolicy {
        places.isEmpty || kinds.count > 1
            ? policy(ofOwnersIn: [.curl, .dane]) : HostPolicies([(places, policy)])
    }

    /// Reads a policy file.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The file's name, for failures.
    ///   - options: The facts that the reader has to know beside the file.
    ///   - files: The files that the document may name.
    ///   - takesUnproven: Whether a document is taken that does not decide everything; its ``findings`` say what.
    ///   - takesUndecided: Whether one is taken that decides nothing, and so has no policy beside its ``findings``.
    /// - Returns: The policies.
    /// - Throws: ``PolicyFailure`` that says what was expected and where.
    package static func read(
        _ bytes: [UInt8],
        name: String,
        options: Options = Options(),
        files: FileAccess,
        takesUnproven: Bool = false,
        takesUndecided: Bool = false
    ) throws(PolicyFailure) -> PolicyFile {
        var notes = DocumentNotes()
        var options = options
        options.name = name
        do throws(PolicyFailure) {
            let files = NamedFiles(files)
            var file: PolicyFile
            do throws(PolicyFailure) {
                file = try recognise(bytes, options, &notes, files)
            } catch {
                // Readers that are left with a question alone throw it.
                guard takesUndecided, let doubt = notes.doubt, "\(doubt)" == "\(error)" else { throw error }
                file = PolicyFile(kinds: [], policies: [])
            }
            file.digest = files.digest(of: bytes)
            file.lines = PolicyLines(bytes)
            // A part of a faulty file is returned only by `examine`.
            if let failure = notes.failure ?? notes.gap { throw failure }
            if !takesUnproven || file.policies.isEmpty && !takesUndecided, let doubt = notes.doubt {
                throw doubt
            }
            guard !file.policies.isEmpty || takesUndecided && notes.doubt != nil else {
                throw PolicyFailure("expected pins or settings of trust, found code that has none")
            }
            file.findings = notes.findings
            return file
        } catch {
            throw PolicyFailure("\(name): \(error)")
        }
    }

    /// Reads a policy file and collects all of its faults, instead of failing at the first one.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - options: The facts that the reader has to know beside the file.
    ///   - files: The files that the document may name.
    /// - Returns: The file, `nil` if it is no policy, and the findings.
    package static func examine(
        _ bytes: [UInt8],
        options: Options = Options(),
        files: FileAccess
    ) -> (file: PolicyFile?, findings: [LintFinding]) {
        var notes = DocumentNotes()
        let named = NamedFiles(files)
        do throws(PolicyFailure) {
            let file = try recognise(bytes, options, &notes, named)
            return (file, notes.findings)
        } catch {
            guard notes.obstacle == nil, notes.gap == nil else { return (nil, notes.findings) }
            let finding = unreadable(error, isOfNamedFile: named.hasRefused)
            return (nil, notes.findings + [named.hasRefused ? finding : placed(finding, bytes)])
        }
    }

    /// The elements and keys of which one makes a document a policy, whatever its faults are.
    private static let signs = ["<network-security-config", "NSPinnedDomains", "TSKPinnedDomains"]

    /// A finding about a document that is a policy, though nothing of it can be used: it names the line of the sign.
    private static func placed(_ finding: LintFinding, _ bytes: [UInt8]) -> LintFinding {
        guard bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "<"),
            let range = signs.lazy.compactMap({ bytes.firstRange(of: Array($0.utf8)) }).first
        else { return finding }
        let line = bytes[..<range.lowerBound].count { $0 == 0x0a } + 1
        return LintFinding(
            finding.code,
            finding.severity,
            at: "line \(line)",
            finding.sentence,
            remedy: finding.remedy
        )
    }

    /// The finding about a document of which nothing can be used.
    private static func unreadable(_ failure: PolicyFailure, isOfNamedFile: Bool) -> LintFinding {
        let parts = failure.description.split(separator: ": ", maxSplits: 1)
        guard isOfNamedFile, let path = parts.first, let sentence = parts.dropFirst().first else {
            return LintFinding.error(
                .unreadable,
                at: "",
                "\(failure)",
                remedy: "Fix it, or see docs/PINS.md#pinhole-pins-check for the files that are understood."
            )
        }
        // The place tells reports the line, and that the file is a policy.
        return LintFinding.error(
            .unreadable,
            at: String(path).replacing(".", with: "/"),
            String(sentence),
            remedy: "Put the file there, correct its name, or allow its folder: --files DIR."
        )
    }

    private static func recognise(
        _ bytes: [UInt8],
        _ options: Options,
        _ notes: inout DocumentNotes,
        _ files: NamedFiles
    ) throws(PolicyFailure) -> PolicyFile {
        guard bytes.count <= PropertyList.bytes else {
            throw PolicyFailure(
                "expected a policy file of at most \(PropertyList.bytes) bytes, found \(bytes.count)"
            )
        }
        if let list = fragment(bytes) { return try propertyList(list, &notes) }
        let first = bytes.first { $0 > 0x20 && $0 < 0x80 }
        if bytes.starts(with: "bplist".utf8) { return try propertyList(bytes, &notes) }
        // Apache's configurations begin with <VirtualHost …>, which is no XML.
        let isConfiguration = beginsWithSection(bytes)
        if options.name.flatMap({ SourceLanguage(fileName: $0) }) != nil || bytes.starts(with: "<?php".utf8)
            || SourceLanguage.isListOfTerms(bytes)
        {
            return try PolicyText(bytes, options).file(files, &notes)
        }
        if bytes.starts(with: [0x03, 0x00, 0x08, 0x00]) || (first == UInt8(ascii: "<") && !isConfiguration) {
            if isPropertyList(bytes) { return try propertyList(bytes, &notes) }
            if let file = try AndroidManifest.file(bytes, options, &notes) { return file }
            let policy = try AndroidDocument.policy(
                bytes,
                targetSdk: options.targetSdk,
                debug: options.debug,
                name: options.name,
                notes: &notes,
                files: files
            )
            return PolicyFile(kinds: [.android], policies: [policy])
        }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            if let list = expoProperties(bytes) {
                // The settings beside the property list are those of Android.
                _ = try? PolicyText(bytes, options).settings(files, &notes)
                return try propertyList(list, &notes)
            }
            let document = try? JSONValue(parsing: bytes)
            if !isPolicyDocument(document, bytes) {
                let text = try PolicyText(bytes, options)
                var own = notes
                if let file = text.settings(files, &own) {
                    // Files of git and templates of YAML begin with these brackets, too.
                    guard document != nil else { return try text.file(files, &notes) }
                    notes = own
                    return file
                }
                if let file = try text.commands(files, &own) {
                    notes = own
                    return file
                }
                notes = own
            }
            let policy = try PolicyDocument.read(bytes, files, clean: { PinScan.clean($0, &notes) })
            return PolicyFile(kinds: [.json], policies: [policy])
        }
        return try PolicyText(bytes, options).file(files, &notes)
    }

    /// Whether a JSON is a policy by its names, whatever other names it has.
    ///
    /// A text that is no JSON is one by its names in quotation marks, so that its reader tells the fault.
    private static func isPolicyDocument(_ document: JSONValue?, _ bytes: [UInt8]) -> Bool {
        func holds(_ name: String) -> Bool { bytes.firstRange(of: Array("\"\(name)\"".utf8)) != nil }
        // These names are those of pins at any depth.
        if holds("TSKPinnedDomains") || holds("NSPinnedDomains") { return true }
        // Other programs have settings with the name “policy”.
        guard let document else { return holds("mechanism") }
        let objects =
            switch document {
            case .array(let elements): elements
            default: [document]
            }
        return objects.contains { object in
            guard case .object(let members) = object else { return false }
            return members["mechanism"] != nil
        }
    }

    /// Whether the first element is a section of Apache's configuration, whose names begin with a capital letter.
    private static func beginsWithSection(_ bytes: [UInt8]) -> Bool {
        var rest = bytes.drop { $0 <= 0x20 }
        while rest.starts(with: "<!--".utf8) {
            guard let end = rest.firstRange(of: Array("-->".utf8)) else { return false }
            rest = rest[end.upperBound...].drop { $0 <= 0x20 }
        }
        return rest.first == UInt8(ascii: "<")
            && rest.dropFirst().first.map { (0x41...0x5a).contains($0) } == true
    }

    /// Whether the first element of an XML text is `<plist>`.
    private static func isPropertyList(_ bytes: [UInt8]) -> Bool {
        bytes.prefix(4096).firstRange(of: Array("<plist".utf8)) != nil
    }

    /// Returns a whole property list for a piece of one, `<key>…</key><dict>…</dict>`; `nil` for other files.
    private static func fragment(_ bytes: [UInt8]) -> [UInt8]? {
        let content = bytes.drop { $0 <= 0x20 }
        guard content.starts(with: "<key>".utf8) else { return nil }
        return Array("<plist><dict>".utf8) + bytes + Array("</dict></plist>".utf8)
    }

    /// Returns the Info.plist that Expo makes of an app.json; `nil` for other documents.
    private static func expoProperties(_ bytes: [UInt8]) -> PropertyListNode? {
        let names = ["expo", "ios", "infoPlist"]
        guard let document = try? JSONValue(parsing: bytes), case .object(let root) = document,
            let properties = names.reduce(
                document,
                { value, name in
                    guard case .object(let members)? = value else { return nil }
                    return members[name] ?? (name == "expo" && root["ios"] != nil ? value : nil)
                }
            )
        else { return nil }
        return PropertyListNode(
            value: PropertyListValue(properties),
            path: .root(names.joined(separator: "/"))
        )
    }

    private static func propertyList(
        _ bytes: [UInt8],
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> PolicyFile {
        try propertyList(PropertyListNode(value: try PropertyList.read(bytes), path: .root("")), &notes)
    }

    private static func propertyList(
        _ root: PropertyListNode,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> PolicyFile {
        var kinds: [Kind] = []
        var policies: [any TrustPolicy] = []
        if let node = try root.member("NSAppTransportSecurity") {
            kinds.append(.apple)
            policies.append(try AppleDocument.policy(node, &notes))
        }
        if let node = try TrustKitDocument.configuration(in: root) {
            kinds.append(.trustKit)
            policies.append(
                try TrustKitDocument.policy(node, &notes, on: try TrustKitDocument.Platform(in: root))
            )
        }
        guard !policies.isEmpty else {
            throw PolicyFailure(
                "expected NSAppTransportSecurity, TSKConfiguration or TSKPinnedDomains in the property list, "
                    + "found none of them"
            )
        }
        return PolicyFile(kinds: kinds, policies: policies)
    }
}
