import Foundation
import Glibc
import PinholeCrypto
import PinholeModel

/// A home of its own for a browser, with a profile that trusts one CA; nothing of it is seen elsewhere.
struct BrowserProfile: Sendable {
    /// The home, absolute.
    let home: String
    /// Whether it stays when the browser has ended.
    let isKept: Bool

    /// By what a home is told from any other folder: that one must not get a CA.
    static let marker = "pinhole-browser"

    /// Makes a home for one run.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be made.
    init() throws(CommandFailure) {
        home = Self.absolute(try PrivateDirectory(named: Self.marker).path)
        isKept = false
    }

    /// Uses a folder of the user, which is made where it is not there.
    ///
    /// - Parameter path: The folder.
    /// - Throws: ``CommandFailure`` when it is something else already, such as the user's own home.
    init(keptAt path: String) throws(CommandFailure) {
        home = Self.absolute(path)
        isKept = true
        let mark = "\(home)/\(Self.marker)"
        do {
            try FileManager.default.createDirectory(
                atPath: home,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let content = try FileManager.default.contentsOfDirectory(atPath: home)
            let owner = try FileManager.default.attributesOfItem(atPath: home)[.ownerAccountID] as? NSNumber
            guard owner?.uint32Value == geteuid() else {
                throw CommandFailure(
                    .usage,
                    "--keep-profile: expected a folder of your own, found \(path), which is somebody else's",
                    remedy: "name another folder: a CA is to be trusted in it"
                )
            }
            guard content.isEmpty || content.contains(Self.marker) else {
                throw CommandFailure(
                    .usage,
                    "--keep-profile: expected a new or empty folder, or one of an earlier run, found \(path) with "
                        + "other files",
                    remedy: "name another folder: a CA is to be trusted in it"
                )
            }
            // The folder may have been there, open to others.
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: home)
            guard content.isEmpty else { return }
            try Data("The home of browsers that trust Pinhole's CA (pinhole browser).\n".utf8)
                .write(to: URL(fileURLWithPath: mark))
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(
                .couldNotRun,
                "--keep-profile: the folder \(path) cannot be used: \(error.localizedDescription)"
            )
        }
    }

    /// The folder of the profile of `browser`; each has one, since they do not read each other's.
    func folder(of browser: Browser) -> String { "\(home)/\(browser.name)" }

    /// The databases in which `browser` looks for CAs.
    func databases(of browser: Browser) -> [NSSDatabase] {
        switch browser.family {
        // From 146 on the second.
        case .chromium: ["\(home)/.pki/nssdb", "\(home)/.local/share/pki/nssdb"].map(NSSDatabase.init)
        case .firefox: [NSSDatabase(folder: folder(of: browser))]
        }
    }

    /// Writes what `browser` needs before it starts.
    ///
    /// - Parameters:
    ///   - browser: The browser.
    ///   - root: The CA that it is to trust.
    ///   - proxy: Where the proxy listens.
    ///   - environment: The environment of this process.
    /// - Throws: ``CommandFailure`` when something cannot be written.
    func prepare(
        for browser: Browser,
        trusting root: Certificate,
        through proxy: Authority,
        _ environment: [String: String]
    ) async throws(CommandFailure) {
        let certutil = try NSSDatabase.certutil(environment)
        let file = try write(root.pem, to: "pinhole-ca.pem")
        for database in databases(of: browser) {
            try refuseLinks(on: database.folder)
            try await database.trust(file, by: certutil)
        }
        if browser.family == .firefox {
            _ = try write(FirefoxPreferences(proxy: proxy).text, to: "\(browser.name)/user.js")
        }
        if let folder = Self.downloads(environment) {
            _ = try write("XDG_DOWNLOAD_DIR=\(Self.quoted(folder))\n", to: ".config/user-dirs.dirs")
        }
    }

    /// What is different in the environment of the browser.
    ///
    /// - Parameter environment: That of this process.
    /// - Returns: The variables to set.
    func variables(_ environment: [String: String]) -> [String: String?] {
        var variables: [String: String?] = [
            "HOME": home, "XDG_CONFIG_HOME": "\(home)/.config", "XDG_CACHE_HOME": "\(home)/.cache",
            "XDG_DATA_HOME": "\(home)/.local/share", "XDG_STATE_HOME": "\(home)/.local/state",
            FirefoxPreferences.variable: "1",
        ]
        // What the browser leaves beside its profile goes with it; the path of a socket has 107 bytes at most.
        if !isKept, home.utf8.count < 64 { variables["TMPDIR"] = home }
        // The key to the display is looked for in the home, too.
        if environment["XAUTHORITY"] == nil, let own = environment["HOME"] {
            variables["XAUTHORITY"] = "\(own)/.Xauthority"
        }
        return variables
    }

    /// Removes the home, unless it is kept; what the browser leaves behind may write into it for a moment.
    func remove() async {
        guard !isKept else { return }
        for _ in 0..<50 {
            try? FileManager.default.removeItem(atPath: home)
            guard FileManager.default.fileExists(atPath: home) else { return }
            try? await Task.sleep(for: .milliseconds(100))
        }
        StandardError.write("pinhole: warning: the profile \(home) could not be removed")
    }

    // MARK: Files

    private static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }

    /// Refuses a path in the home that a link would lead out of it: a CA must not come into another profile.
    private func refuseLinks(on path: String) throws(CommandFailure) {
        var part = home
        for name in path.dropFirst(home.count).split(separator: "/") {
            part += "/\(name)"
            guard (try? FileManager.default.destinationOfSymbolicLink(atPath: part)) == nil else {
                throw CommandFailure(
                    .usage,
                    "--keep-profile: expected files and folders of an earlier run, found the link \(part)",
                    remedy: "remove it, or name another folder: a CA is to be trusted there"
                )
            }
        }
    }

    private func write(_ text: String, to name: String) throws(CommandFailure) -> String {
        let file = URL(fileURLWithPath: "\(home)/\(name)")
        try refuseLinks(on: file.path)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        } catch {
            throw CommandFailure(.couldNotRun, "could not write \(file.path): \(error.localizedDescription)")
        }
        return file.path
    }

    /// Where the user's downloads are: what is fetched on purpose must not go with the profile.
    ///
    /// - Parameter environment: The environment of this process.
    /// - Returns: The folder, or the user's home where there is none; `nil` without a home.
    static func downloads(_ environment: [String: String]) -> String? {
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        let settings = environment["XDG_CONFIG_HOME"] ?? "\(home)/.config"
        let lines = (try? String(contentsOfFile: "\(settings)/user-dirs.dirs", encoding: .utf8)) ?? ""
        let named = lines.split(separator: "\n")
            .compactMap { $0.firstMatch(of: /^\s*XDG_DOWNLOAD_DIR="([^"]*)"/)?.1 }.last
            .map { $0.hasPrefix("$HOME") ? home + $0.dropFirst("$HOME".count) : String($0) }
        // A browser would make the folder.
        return [named ?? "\(home)/Downloads", home].first { FileManager.default.fileExists(atPath: $0) }
    }

    private static func quoted(_ path: String) -> String {
        "\"" + path.replacing(/["\\$`]/) { "\\\($0.output)" } + "\""
    }
}
