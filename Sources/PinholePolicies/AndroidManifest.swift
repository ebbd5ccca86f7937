import PinholeSource
import PinholeTrust

/// The switch of an `AndroidManifest.xml` for cleartext, which Gradle, Expo and Capacitor set too.
enum AndroidManifest {
    /// The name of the attribute that allows cleartext.
    static let attribute = "usesCleartextTraffic"
    /// The name of such files in messages.
    static let kind = PolicyFile.Kind(rawValue: "Android manifest")

    /// Reads a manifest; `nil` for other documents.
    static func file(
        _ bytes: [UInt8],
        _ options: PolicyFile.Options,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> PolicyFile? {
        guard bytes.firstRange(of: Array("<manifest".utf8)) != nil else { return nil }
        let root = try MarkupReader.read(bytes)
        guard root.name == "manifest" else { return nil }
        for application in root.children where application.name == "application" {
            // Each prefix that is declared for Android's attributes.
            let declared = root.attributes.merging(application.attributes) { $1 }
            let space = "http://schemas.android.com/apk/res/android"
            let prefixes = declared.filter { $0.key.hasPrefix("xmlns:") && $0.value == space }
                .map { String($0.key.dropFirst(6)) }
            note(application, prefixes: prefixes.isEmpty ? ["android"] : prefixes.sorted(), options, &notes)
        }
        return PolicyFile(kinds: [kind], policies: [])
    }

    private static func note(
        _ application: MarkupElement,
        prefixes: [String],
        _ options: PolicyFile.Options,
        _ notes: inout DocumentNotes
    ) {
        func value(_ name: String) -> String? {
            prefixes.lazy.compactMap { application.trimmedAttribute("\($0):\(name)") }.first
        }
        let path = DocumentPath.root("line \(application.line)")
        let isOfDebugBuilds = options.name?.split(separator: "/").dropLast().last == "debug"
        if !options.debug, !isOfDebugBuilds, value("debuggable")?.lowercased() == "true" {
            debuggable("This app", at: path, &notes)
        }
        guard let text = value(attribute) else { return }
        guard text.lowercased() == "true" else {
            if text.lowercased() != "false" { unknown(text, at: path, &notes) }
            return
        }
        guard options.debug || !isOfDebugBuilds else {
            notes.remark(.ignored, path, "Only debug builds have this manifest.", "Check them with --debug.")
            return
        }
        // From Android 7 on, the configuration decides alone.
        let isRead = value("networkSecurityConfig") == nil
        allowed(at: path, isRead ? .warning : .hint, &notes)
    }

    /// Notes that the app may speak http.
    static func allowed(
        at path: DocumentPath,
        _ severity: LintFinding.Severity,
        _ notes: inout DocumentNotes
    ) {
        notes.remark(
            .cleartext,
            path,
            "The app may load pages and data over http (\(attribute)).",
            "Leave it out, and allow single hosts in network_security_config.xml.",
            severity: severity
        )
    }

    /// Notes a build beside that for debugging in which the exceptions for debugging count.
    static func debuggable(_ build: String, at path: DocumentPath, _ notes: inout DocumentNotes) {
        notes.unproven(
            path,
            "\(build) is debuggable, so that the debug-overrides of its configuration count.",
            "Check the configuration with --debug, too.",
            as: .notJudged
        )
    }

    /// Notes a value that a build gives.
    static func unknown(_ code: String, at path: DocumentPath, _ notes: inout DocumentNotes) {
        notes.unproven(
            path,
            "\(attribute) (\(DocumentPath.cut(code))) is not written out in this file.",
            "Write false, or leave it out."
        )
    }
}

extension SourceReader {
    @Sendable private static func hasDebuggableBuild(_ code: SourceCode) -> Bool {
        code.tokens.indices.contains { code.debuggableBuild(at: $0) != nil }
    }

    /// The attribute of an Android manifest that a build or a configuration of Expo sets.
    static let cleartext = SourceReader(
        title: AndroidManifest.kind.rawValue,
        marks: [
            AndroidManifest.attribute, "android:\(AndroidManifest.attribute)", "debuggable", "isDebuggable",
            "initWith",
        ],
        commonMarks: ["debuggable", "isDebuggable", "initWith"],
        languages: [.script, .kotlin, .java],
        isOfKind: hasDebuggableBuild
    ) { reading in
        let code = reading.code
        for index in code.tokens.indices where !reading.debug {
            guard let build = code.debuggableBuild(at: index) else { continue }
            AndroidManifest.debuggable("The build “\(build)”", at: reading.path(index), &reading.notes)
        }
        for index in code.tokens.indices {
            let name = code.tokens[index].text ?? code.tokens[index].lastName
            // `"name" to true`, `put("name", true)` of Gradle.
            let isPut = code[index + 1].map { $0.name == "to" || $0.isMark(",") } == true
            guard name?.hasSuffix(AndroidManifest.attribute) == true,
                let place = reading.assigned(at: index)
                    ?? (isPut && code.tokens[index].isLiteral ? index + 2 : nil)
            else { continue }
            let value = reading.value(at: place) { reading.settingTruth(of: $0) == true }
            let path = reading.path(index)
            switch reading.settingTruth(of: value) {
            case true? where !code.isDebugOnly(index):
                AndroidManifest.allowed(at: path, .warning, &reading.notes)
            case true?, false?: break
            case nil: AndroidManifest.unknown(value.code, at: path, &reading.notes)
            }
        }
    }
}

extension SourceCode {
    /// The build of Gradle beside that for debugging which a setting makes debuggable; `nil` for other places.
    ///
    /// - Parameter index: The place of `debuggable true`, `isDebuggable = true` or `initWith debug`.
    /// - Returns: The name of the build.
    fileprivate func debuggableBuild(at index: Int) -> String? {
        guard let brace = parent(of: index), let build = gradleBlock(brace), !isDebugOnly(index) else {
            return nil
        }
        let isAssigned = isMark("=", at: index + 1) || isMark("(", at: index + 1)
        switch tokens[index].lastName {
        case "debuggable", "isDebuggable":
            // A build that is like that for debugging may take it back.
            return self[isAssigned ? index + 2 : index + 1]?.name == "true" ? build : nil
        case "initWith":
            let words = tokens[index...].prefix { $0.line == tokens[index].line }
            guard words.contains(where: { $0.text == "debug" || $0.lastName == "debug" }) else { return nil }
            let rest = tokens[index..<end(of: brace)]
            let isSet = rest.contains { ["debuggable", "isDebuggable"].contains($0.lastName) }
            return isSet ? nil : build
        default: return nil
        }
    }
}

extension SettingsReader {
    /// The same in JSON: `app.json` of Expo and `capacitor.config.json`.
    static let cleartext = SettingsReader(
        title: AndroidManifest.kind.rawValue,
        marks: ["\"\(AndroidManifest.attribute)\"", "\"cleartext\"", "\"allowMixedContent\""],
        forms: [.yaml]
    ) { reading in
        let found =
            reading.root.all(AndroidManifest.attribute)
            + reading.root.all("server", "android").flatMap { $0.all("cleartext", "allowMixedContent") }
        for setting in found where setting.truth == true {
            AndroidManifest.allowed(at: reading.path(setting.line), .warning, &reading.notes)
        }
        return !found.isEmpty
    }
}
