import PinholeFiles
import PinholeModel
import PinholeRules

/// The configuration file that a command uses.
package struct ConfigurationFile: Sendable {
    /// The path of the file; `nil` if only the defaults apply.
    package let path: String?
    /// Whether `--config` names the file; otherwise it was found in the folder.
    package let isNamed: Bool
    /// The reason why a `config.json` in the folder is ignored; `nil` if there is none, or it is used.
    package let remark: String?

    /// Decides which file the command uses.
    ///
    /// A `config.json` of another program is left alone.
    ///
    /// - Parameter named: The value of `--config`; `nil` without the flag.
    package init(named: String?) {
        let found = Places.configurationName
        isNamed = named != nil
        if named == nil, File.exists(at: found),
            let content = try? InputFile.content(of: found), !Configuration.looksLikeOne(content)
        {
            path = nil
            var reason = "it is not Pinhole's"
            do throws(DocumentFailure) {
                _ = try JSONValue(parsing: content)
            } catch {
                reason = "it is not JSON: \(error)"
            }
            remark = "./\(found) is not used: \(reason) (--config \(found) uses it nevertheless)"
            return
        }
        path = named ?? (File.exists(at: found) ? found : nil)
        remark = nil
    }

    /// Uses a file that exists.
    ///
    /// - Parameters:
    ///   - named: The file.
    ///   - isFound: Whether the file was found in the folder; otherwise `--config` names it.
    package init(named: String, isFound: Bool) {
        path = named
        isNamed = !isFound
        remark = nil
    }

    /// The configuration that is used, in words for the user.
    ///
    /// A CA in the folder is named too, because the folder may be from another person, who then knows the key of the CA.
    package var summary: String {
        if let path { return path }
        let defaults = remark.map { "the defaults; \($0)" } ?? "the defaults (no ./config.json)"
        return Places().folderHoldsAuthority ? "\(defaults), with the CA of this folder (./ca)" : defaults
    }

    /// The folder to which relative paths in the file are relative; empty for the process's working directory.
    package var folder: String { path.map(FilePath.folder) ?? "" }

    /// Reads the file; without a file, returns the defaults.
    ///
    /// Relative paths in the file are relative to its folder.
    ///
    /// - Parameter isToRun: Whether a proxy will run with it, which needs the user's consent.
    /// - Returns: The configuration, with paths as the process can use them.
    /// - Throws: ``CommandFailure`` if the file cannot be read, is invalid, or is not confirmed.
    package func load(toRun isToRun: Bool = false) throws(CommandFailure) -> Configuration {
        guard let path else { return Configuration() }
        let content = try content()
        let configuration = try parse(content)
        if isToRun { try ConfigurationConsent().check(configuration, at: path, content) }
        return configuration
    }

    /// Reads the text of the file.
    ///
    /// If `--config` does not name the file, the user must own the file and its folder.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be read, or if another account could have written it.
    package func content() throws(CommandFailure) -> [UInt8] {
        guard let path else { return [] }
        if !isNamed { try checkOwner(path) }
        do throws(InputFailure) {
            return try InputFile.content(of: path)
        } catch {
            throw CommandFailure(
                "no configuration: \(error)",
                remedy: File.exists(at: path) ? nil : "pinhole config > \(path)"
            )
        }
    }

    /// Parses the text of the file.
    package func parse(_ content: [UInt8]) throws(CommandFailure) -> Configuration {
        do throws(DocumentFailure) {
            let (value, rules) = try JSONValue.parse(content, quoting: "rules")
            var configuration = try Configuration(value)
            if let rules { configuration.ruleTexts = try JSONEditor(Array(rules)).elements }
            configuration.resolvePaths(in: folder)
            return configuration
        } catch {
            throw CommandFailure(error.inFile(path ?? "").description)
        }
    }

    /// Checks that only the user can write the file and its folder, so that no other account can replace the file.
    package func checkOwner(_ path: String) throws(CommandFailure) {
        do throws(FileFault) {
            let files = FileGuard.current
            try files.check(
                folder.isEmpty ? "." : folder,
                .unalterable,
                holding: "the configuration of Pinhole in it"
            )
            try files.check(path, .unalterable, holding: "the configuration of Pinhole")
            // An account that can write the folder of a link's target can replace the file there.
            let target = FilePath.folder(of: FilePath.real(path))
            try files.check(target, .unalterable, holding: "the configuration of Pinhole in it")
        } catch {
            throw CommandFailure(
                "a configuration that somebody else may have written is not used: \(error.problem)",
                remedy: "\(error.remedy); or, if you know the file: --config \(path)"
            )
        }
    }
}

extension Configuration {
    /// Whether a text is meant as a configuration of Pinhole; other programs have a `config.json`, too.
    ///
    /// More than half of the keys of the object must be keys of Pinhole or misspellings of them. `{}` counts
    /// as a configuration of Pinhole: it lets a folder keep its own CA. A text that is not JSON counts if it
    /// contains two keys of Pinhole, or one that other programs hardly use, so that its author learns of the mistake.
    static func looksLikeOne(_ text: [UInt8]) -> Bool {
        guard let value = try? JSONValue(parsing: text) else {
            let text = String(decoding: text, as: UTF8.self)
            let telling = ["ca", "tls", "upstream", "capture", "passthrough", "proxy", "rules"]
            return telling.contains { text.contains("\"\($0)\"") }
                || keys.count { text.contains("\"\($0)\"") } > 1
        }
        guard case .object(let members) = value else { return false }
        let own = members.count { name, value in
            guard let key = EditDistance.nearest(to: name, in: keys) else { return false }
            return switch value {
            case .object: !lists.contains(key) && key != "console"
            case .array: lists.contains(key)
            default: key == "console" || name == key
            }
        }
        return members.isEmpty || 2 * own > members.count
    }

    /// The keys of the outermost object.
    private static let keys = ConfigurationSection.all.map(\.name)
    /// The keys whose values are lists.
    private static let lists = ["resolve", "rules"]
}

extension ConfigurationFile {
    /// Returns a path relative to `folder` as a path for the process.
    package static func resolve(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
    }
}

extension Configuration {
    /// Makes relative paths relative to `folder`.
    mutating func resolvePaths(in folder: String) {
        guard !folder.isEmpty else { return }
        for index in programs.indices { programs[index].folder = folder }
        changePaths { ConfigurationFile.resolve($0, in: folder) }
    }
}
