import PinholeTrust

/// Android's `network_security_config.xml`, as `XmlConfigSource.java` reads it.
struct AndroidDocument {
    /// The kind of element, which decides what it may hold.
    private enum Kind {
        case base
        case domain
        case debug
    }

    private let files: NamedFiles
    private let debug: Bool
    private var notes = DocumentNotes()

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: The document in text; the compiled form of an APK is refused.
    ///   - targetSdk: The SDK that the app was made for.
    ///   - debug: Whether the build is debuggable.
    ///   - name: The name of the file, by which its `NAME_debug.xml` is found; `nil` if it is not known.
    ///   - files: The files that the document may name; relative names begin at its folder.
    /// - Returns: The policy.
    /// - Throws: ``PolicyFailure`` with the path of the element, also for faults that Android itself refuses.
    static func read(
        _ bytes: [UInt8],
        targetSdk: Int = 34,
        debug: Bool = false,
        name: String? = nil,
        files: NamedFiles
    ) throws(PolicyFailure) -> AndroidPolicy {
        var notes = DocumentNotes()
        let policy = try policy(
            bytes,
            targetSdk: targetSdk,
            debug: debug,
            name: name,
            notes: &notes,
            files: files
        )
        if let failure = notes.gap { throw failure }
        return policy
    }

    /// Reads a document, and notes its oddities.
    static func policy(
        _ bytes: [UInt8],
        targetSdk: Int,
        debug: Bool,
        name: String?,
        notes: inout DocumentNotes,
        files: NamedFiles
    ) throws(PolicyFailure) -> AndroidPolicy {
        // ResXMLTree_header: type 3, header of 8 bytes.
        guard !bytes.starts(with: [0x03, 0x00, 0x08, 0x00]) else {
            throw PolicyFailure(
                "expected XML in text, found the compiled form of an APK; decode it: apktool d APP.apk"
            )
        }
        let root = try MarkupReader.read(bytes)
        let hasOverrides = root.children.contains { $0.name == "debug-overrides" }
        let sibling = debug && !hasOverrides ? try overrides(beside: name, files) : nil
        var document = AndroidDocument(files: files, debug: debug)
        defer { notes = document.notes }
        let configuration = try document.configuration(root, sibling)
        if let failure = document.notes.failure { throw failure }
        return try AndroidPolicy(configuration: configuration, targetSdk: targetSdk, debug: debug)
    }

    private init(files: NamedFiles, debug: Bool) {
        self.files = files
        self.debug = debug
    }

    /// Returns the `<debug-overrides>` of `NAME_debug.xml` (`XmlConfigSource.parseDebugOverridesResource`); `nil` if
    /// there is no such file, or no such element in it.
    private static func overrides(
        beside name: String?,
        _ files: NamedFiles
    ) throws(PolicyFailure) -> MarkupElement? {
        guard let stem = name?.split(separator: "/").last, stem.hasSuffix(".xml") else { return nil }
        return try files.parsedIfThere(
            "\(stem.dropLast(4))_debug.xml",
            as: """
                a <network-security-config> with one <debug-overrides> at most, since debuggable builds read the file as \
                well
                """,
            remedy: "pinhole pins check --debug"
        ) { content in
            let root = try MarkupReader.read(content)
            let elements = root.children.filter { $0.name == "debug-overrides" }
            guard root.name == "network-security-config", elements.count < 2 else {
                throw PolicyFailure("expected one <debug-overrides> in <network-security-config>")
            }
            return elements.first
        } ?? nil
    }

    /// Reads the document, and the `<debug-overrides>` of the file beside it if the document has none.
    private mutating func configuration(
        _ root: MarkupElement,
        _ sibling: MarkupElement?
    ) throws(PolicyFailure) -> AndroidConfiguration {
        guard root.name == "network-security-config" else {
            throw PolicyFailure("line \(root.line): expected <network-security-config>, found <\(root.name)>")
        }
        var configuration = AndroidConfiguration()
        var seen: Set<String> = []
        for child in root.children {
            let path = Self.path(.root(root.name), child)
            if ["base-config", "debug-overrides"].contains(child.name), !seen.insert(child.name).inserted {
                throw Self.failure(path, child, "expected one <\(child.name)>, found another")
            }
            switch child.name {
            case "base-config": configuration.base = try entry(child, .base, path).settings
            case "debug-overrides": configuration.debugOverrides = try debugOverrides(child, path)
            case "domain-config": configuration.domainConfigurations.append(try entry(child, .domain, path))
            default:
                notes.ignored(
                    child.name,
                    at: path,
                    known: ["base-config", "domain-config", "debug-overrides"]
                )
            }
        }
        if let sibling {
            configuration.debugOverrides =
                try entry(sibling, .debug, Self.path(.root(root.name), sibling)).settings
        }
        return configuration
    }

    /// The element that other builds than debuggable ones skip unread (`XmlConfigSource.parseNetworkSecurityConfig`).
    private mutating func debugOverrides(
        _ element: MarkupElement,
        _ path: DocumentPath
    ) throws(PolicyFailure) -> AndroidSettings? {
        guard !debug else { return try entry(element, .debug, path).settings }
        var reader = AndroidDocument(files: files, debug: true)
        do throws(PolicyFailure) {
            let settings = try reader.entry(element, .debug, path).settings
            guard let fault = reader.notes.failure ?? reader.notes.gap else { return settings }
            notes.unread(path, "\(fault)")
            return nil
        } catch {
            notes.unread(path, "\(error)")
            return nil
        }
    }

    private mutating func entry(
        _ element: MarkupElement,
        _ kind: Kind,
        _ path: DocumentPath
    ) throws(PolicyFailure) -> AndroidDomainSettings {
        var entry = AndroidDomainSettings(domains: [])
        entry.settings.cleartextTrafficPermitted = boolean(
            "cleartextTrafficPermitted",
            of: element,
            path,
            default: "what it inherits"
        )
        for child in element.children {
            let inner = Self.path(path, child)
            if kind != .domain, ["domain", "pin-set", "domain-config"].contains(child.name) {
                throw Self.failure(inner, child, "expected it in a <domain-config> only; move it there")
            }
            switch child.name {
            case "domain": entry.domains.append(try domain(child, inner))
            case "trust-anchors":
                guard entry.settings.trustAnchors == nil else {
                    throw Self.failure(inner, child, "expected one <trust-anchors>, found another")
                }
                entry.settings.trustAnchors = try trustAnchors(child, kind, inner)
            case "pin-set":
                guard entry.pinSet == nil else {
                    throw Self.failure(inner, child, "expected one <pin-set>, found another")
                }
                entry.pinSet = try pinSet(child, inner)
            case "domain-config": entry.nested.append(try self.entry(child, .domain, inner))
            case "certificateTransparency":
                guard kind != .debug else {
                    throw Self.failure(inner, child, "expected it outside of <debug-overrides>; remove it")
                }
                entry.settings.requiresTransparency =
                    boolean("enabled", of: child, inner, default: "true") ?? true
            case "trustkit-config" where kind == .domain: noteTrustKit(child, inner)
            default:
                notes.ignored(
                    child.name,
                    at: inner,
                    known: ["domain", "trust-anchors", "pin-set", "domain-config", "certificateTransparency"]
                )
            }
        }
        guard kind != .domain || !entry.domains.isEmpty else {
            throw Self.failure(path, element, "expected a <domain> in it, found none")
        }
        return entry
    }

    /// Notes the element by which TrustKit-Android, before Android 7, only reports mismatches.
    ///
    /// Its `enforcePinning` is false by default. Android itself enforces the pin-set from version 7 on.
    private mutating func noteTrustKit(_ element: MarkupElement, _ path: DocumentPath) {
        guard boolean("enforcePinning", of: element, path, default: "false") != true else { return }
        notes.remark(
            .notEnforced,
            path,
            "TrustKit reports mismatches and lets connections go on before Android 7, as enforcePinning is not true.",
            "Write <trustkit-config enforcePinning=\"true\">.",
            severity: .warning
        )
    }

    private mutating func domain(
        _ element: MarkupElement,
        _ path: DocumentPath
    ) throws(PolicyFailure) -> DomainRule {
        let name = element.trimmedText.lowercased()
        guard !name.isEmpty, element.children.isEmpty else {
            throw Self.failure(path, element, "expected a domain in it and nothing else")
        }
        if name.hasPrefix("@") { notes.unresolved(name, at: path) }
        let includesSubdomains = boolean("includeSubdomains", of: element, path, default: "false") ?? false
        return DomainRule(name, includesSubdomains ? .everything : .exact)
    }

    private mutating func pinSet(
        _ element: MarkupElement,
        _ path: DocumentPath
    ) throws(PolicyFailure) -> AndroidPinSet {
        var set = AndroidPinSet(pins: [])
        if let text = element.attributes["expiration"] {
            // SimpleDateFormat.parse reads no further than the day.
            guard let date = CalendarDate.start(of: Self.day(text), allowsShortFields: true) else {
                throw Self.failure(
                    path,
                    element,
                    "expected the expiration as yyyy-MM-dd, found “\(DocumentPath.cut(text))”"
                )
            }
            if CalendarDate.start(of: text) == nil {
                notes.unusual(text, at: path, documented: "the expiration as “\(CalendarDate.text(date))”")
            }
            set.expiration = date
        }
        for (index, child) in element.children.enumerated() {
            let inner = DocumentPath.element(.member(path, child.name), "\(index)")
            guard child.name == "pin" else {
                notes.ignored(child.name, at: inner, known: ["pin"])
                continue
            }
            let digest = child.attributes["digest"]
            // AOSP compares with equalsIgnoreCase.
            guard let digest, digest.uppercased() == "SHA-256" else {
                let found = digest.map { "“\(DocumentPath.cut($0))”" } ?? "none"
                throw Self.failure(inner, child, "expected digest=\"SHA-256\", the only one, found \(found)")
            }
            if digest != "SHA-256" { notes.unusual(digest, at: inner, documented: "“SHA-256”") }
            guard child.children.isEmpty else {
                throw Self.failure(inner, child, "expected a pin and no element")
            }
            // Android's decoder skips white space.
            let text = child.text.filter { !$0.isWhitespace }
            if let pin = notes.pin(text, at: inner, needsPadding: false) { set.pins.append(pin) }
        }
        return set
    }

    /// Returns the year, month and day at the start of a date: `2027-01-01` of `2027-01-01T10:00:00`.
    private static func day(_ text: String) -> Substring {
        var hyphens = 0
        return text.prefix { character in
            if character == "-" { hyphens += 1 }
            return hyphens < 3 && (character == "-" || ("0"..."9").contains(character))
        }
    }

    private mutating func trustAnchors(
        _ element: MarkupElement,
        _ kind: Kind,
        _ path: DocumentPath
    ) throws(PolicyFailure) -> [AndroidCertificates] {
        var anchors: [AndroidCertificates] = []
        for (index, child) in element.children.enumerated() {
            let inner = DocumentPath.element(.member(path, child.name), "\(index)")
            guard child.name == "certificates" else {
                notes.ignored(child.name, at: inner, known: ["certificates"])
                continue
            }
            // Within debug-overrides, CAs override pins by default.
            let overrides =
                boolean("overridePins", of: child, inner, default: "\(kind == .debug)") ?? (kind == .debug)
            anchors.append(AndroidCertificates(try source(child, inner), overridePins: overrides))
        }
        return anchors
    }

    private mutating func source(
        _ element: MarkupElement,
        _ path: DocumentPath
    ) throws(PolicyFailure) -> AndroidCertificates.Source {
        switch element.attributes["src"] {
        case "system": return .system
        case "user": return .user
        case "wfa": return .wifiAlliance
        case .some(let name) where name.hasPrefix("@"):
            do throws(PolicyFailure) {
                return .raw(name, try files.resource(name))
            } catch {
                // Android reads the rest of the document, so its other faults are findings as well.
                notes.missing(path, "\(error)")
                return .raw(name, [])
            }
        case .some(let name):
            throw Self.failure(
                path,
                element,
                "expected src to be system, user, wfa or @raw/…, found “\(DocumentPath.cut(name))”"
            )
        case .none: throw Self.failure(path, element, "expected the attribute src, found none")
        }
    }

    /// Returns the value of a boolean attribute; `nil` if Android takes the default.
    ///
    /// aapt2 compiles three spellings of each value to booleans (`ResourceUtils::ParseBool`), and numbers to integers.
    /// `getAttributeBooleanValue` takes an integer other than 0 as true, and the default for any other text.
    private mutating func boolean(
        _ name: String,
        of element: MarkupElement,
        _ path: DocumentPath,
        default: String
    ) -> Bool? {
        guard let text = element.trimmedAttribute(name) else { return nil }
        let value: Bool?
        switch text {
        case "true", "True", "TRUE": value = true
        case "false", "False", "FALSE": value = false
        case let word where word.hasPrefix("0x") || word.hasPrefix("0X"):
            value = UInt32(word.dropFirst(2), radix: 16).map { $0 != 0 }
        case let word: value = Int32(word).map { $0 != 0 }
        }
        guard let value else {
            notes.notBoolean(name, text, at: path, default: `default`)
            return nil
        }
        if text != "\(value)" { notes.unusual(text, at: path, documented: "“\(value)”") }
        return value
    }

    private static func path(_ parent: DocumentPath, _ element: MarkupElement) -> DocumentPath {
        let path = DocumentPath.member(parent, element.name)
        let domain = element.name == "domain-config" ? element.children.first { $0.name == "domain" } : nil
        return domain.map { .element(path, $0.trimmedText) } ?? path
    }

    private static func failure(
        _ path: DocumentPath,
        _ element: MarkupElement,
        _ text: String
    ) -> PolicyFailure {
        PolicyFailure("\(path) (line \(element.line)): \(text)")
    }
}
