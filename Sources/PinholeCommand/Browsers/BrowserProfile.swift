import Glibc
import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholeSession

/// A home directory for one browser, with a profile that trusts one CA and affects no other profile.
struct BrowserProfile: Sendable {
    /// The absolute path of the home directory.
    let home: String
    /// Whether the directory is kept when the browser has ended.
    let isKept: Bool

    /// The name of the file that marks such a directory, so that no other folder receives a CA.
    static let marker = "pinhole-browser"

    /// Creates a temporary home directory for one run.
    ///
    /// - Throws: ``CommandFailure`` if the directory cannot be created.
    init() throws(CommandFailure) {
        home = FilePath.absolute(try PrivateDirectory(named: Self.marker).path)
        isKept = false
    }

    /// Uses a folder of the user, which is created if it does not exist.
    ///
    /// - Throws: ``CommandFailure`` if the folder has another purpose, such as the user's own home.
    init(keptAt path: String) throws(CommandFailure) {
        home = FilePath.absolute(path)
        isKept = true
        let mark = "\(home)/\(Self.marker)"
        do {
            try Folder.make(at: home)
            let content = try Folder.names(in: home)
            let folder = try Descriptor(opening: home, flags: O_RDONLY | O_DIRECTORY)
            guard try folder.status.st_uid == geteuid() else {
                throw CommandFailure.usage(
                    "--keep-profile: expected a folder of your own, found \(path), which is somebody else's",
                    remedy: "name another folder, since the profile in it will trust a CA"
                )
            }
            guard content.isEmpty || content.contains(Self.marker) else {
                throw CommandFailure.usage(
                    "--keep-profile: expected a new or empty folder, or one of an earlier run, found \(path) with "
                        + "other files",
                    remedy: "name another folder, since the profile in it will trust a CA"
                )
            }
            // An existing folder may have been open to other accounts.
            guard fchmod(folder.number, 0o700) == 0 else { throw Errno.current }
            guard content.isEmpty else { return }
            let text = "The home of browsers that trust Pinhole's CA (pinhole browser).\n"
            try File.write(Array(text.utf8), to: mark)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure("--keep-profile: the folder \(path) cannot be used: \(error)")
        }
    }

    /// Returns the profile folder of `browser`; each browser has its own, since they do not share a format.
    func folder(of browser: Browser) -> String { "\(home)/\(browser.name)" }

    /// Returns the databases in which `browser` looks for CAs.
    func databases(of browser: Browser) -> [NSSDatabase] {
        switch browser.family {
        // Chromium uses the second folder from version 146 on.
        case .chromium: ["\(home)/.pki/nssdb", "\(home)/.local/share/pki/nssdb"].map(NSSDatabase.init)
        case .firefox: [NSSDatabase(folder: folder(of: browser))]
        }
    }

    /// Writes the files that `browser` needs before it starts.
    ///
    /// - Parameters:
    ///   - browser: The browser.
    ///   - root: The CA that the browser is to trust.
    ///   - proxy: The address of the proxy.
    ///   - environment: The environment of this process.
    /// - Throws: ``CommandFailure`` if a file cannot be written.
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

    /// Returns the environment variables that differ for the browser.
    ///
    /// - Parameter environment: The environment of this process.
    /// - Returns: The variables to set, or with `nil` to remove.
    func variables(_ environment: [String: String]) -> [String: String?] {
        var variables: [String: String?] = [
            "HOME": home, "XDG_CONFIG_HOME": "\(home)/.config", "XDG_CACHE_HOME": "\(home)/.cache",
            "XDG_DATA_HOME": "\(home)/.local/share", "XDG_STATE_HOME": "\(home)/.local/state",
            FirefoxPreferences.variable: "1",
        ]
        // Temporary files of the browser are removed with the profile; the path of a socket has at most 107 bytes.
        if !isKept, home.utf8.count < 64 { variables["TMPDIR"] = home }
        // Programs look for the X11 authority file in the home directory, too.
        if environment["XAUTHORITY"] == nil, let own = environment["HOME"] {
            variables["XAUTHORITY"] = "\(own)/.Xauthority"
        }
        return variables
    }

    /// Removes the home directory, unless it is kept, and repeats this while processes of the browser still write.
    func remove() async {
        guard !isKept else { return }
        for _ in 0..<50 {
            Folder.remove(home)
            guard File.exists(at: home) else { return }
            try? await Task.sleep(for: .milliseconds(100))
        }
        StandardError.write("pinhole: warning: the profile \(home) could not be removed")
    }

    // MARK: Files

    /// Throws if a symbolic link leads a path out of the home directory, so that no other profile receives the CA.
    private func refuseLinks(on path: String) throws(CommandFailure) {
        var part = home
        for name in path.dropFirst(home.count).split(separator: "/") {
            part += "/\(name)"
            guard FilePath.target(ofLink: part) == nil else {
                throw CommandFailure.usage(
                    "--keep-profile: expected files and folders of an earlier run, found the link \(part)",
                    remedy: "remove it, or name another folder, since the profile in it will trust a CA"
                )
            }
        }
    }

    private func write(_ text: String, to name: String) throws(CommandFailure) -> String {
        let file = "\(home)/\(name)"
        try refuseLinks(on: file)
        try CommandFailure.wrapping("could not write \(file)") {
            try Folder.make(at: FilePath.folder(of: file))
        }
        try OutputFile.write(Array(text.utf8), to: file)
        return file
    }

    /// Returns the user's download folder, since downloads must not be removed with the profile.
    ///
    /// - Parameter environment: The environment of this process.
    /// - Returns: The folder, or the user's home if there is none; `nil` without a home.
    static func downloads(_ environment: [String: String]) -> String? {
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        let settings = environment["XDG_CONFIG_HOME"] ?? "\(home)/.config"
        let lines = File.text(of: "\(settings)/user-dirs.dirs") ?? ""
        let named = lines.split(separator: "\n")
            .compactMap { $0.firstMatch(of: /^\s*XDG_DOWNLOAD_DIR="([^"]*)"/)?.1 }.last
            .map { $0.hasPrefix("$HOME") ? home + $0.dropFirst("$HOME".count) : String($0) }
        // The browser would create a missing folder, so only an existing one counts.
        return [named ?? "\(home)/Downloads", home].first { File.exists(at: $0) }
    }

    private static func quoted(_ path: String) -> String {
        "\"" + path.replacing(/["\\$`]/) { "\\\($0.output)" } + "\""
    }
}
