import Foundation
import PinholeModel

/// Looks for a browser that can be used.
struct BrowserSearch {
    /// The environment, whose PATH names the folders.
    var environment = ProcessInfo.processInfo.environment

    /// Finds a browser.
    ///
    /// - Parameter wanted: A name of ``Browser/products``, that of a program, or a path; `nil` for the first that is
    ///   there.
    /// - Returns: The browser.
    /// - Throws: ``CommandFailure`` that names the programs that were not found.
    func find(_ wanted: String?) throws(CommandFailure) -> Browser {
        guard let wanted else { return try first(of: Browser.products.flatMap(\.executables), for: nil) }
        guard !wanted.contains("/") else { return try browser(at: wanted) }
        if let product = Browser.products.first(where: { $0.name == wanted }) {
            return try first(of: product.executables, for: wanted)
        }
        guard Browser.family(ofExecutable: wanted) != nil else {
            let names = Browser.products.flatMap { [$0.name] + $0.executables }
            throw CommandFailure(
                .usage,
                "--browser: expected a path, or one of \(Browser.knownNames), found “\(wanted)”",
                remedy: Remedy.nearest(to: wanted, in: names)
            )
        }
        return try first(of: [wanted], for: wanted)
    }

    /// Every browser that can be used, one of each product.
    ///
    /// - Returns: The browsers with the names of their products, in the order of ``Browser/products``.
    func all() -> [(name: String, browser: Browser)] {
        Browser.products.compactMap { product in
            (try? first(of: product.executables, for: product.name)).map { (product.name, $0) }
        }
    }

    private func first(of names: [String], for wanted: String?) throws(CommandFailure) -> Browser {
        var confined: String?
        for name in names {
            guard let path = ExecutableSearch.path(of: name, environment),
                let family = Browser.family(ofExecutable: name)
            else { continue }
            guard !Self.isConfined(path) else {
                confined = confined ?? path
                continue
            }
            return Browser(family: family, path: path)
        }
        if let confined { throw Self.confinement(confined) }
        throw CommandFailure(
            .couldNotRun,
            "\(wanted.map { "the browser \($0) was not found" } ?? "no browser was found"): looked for "
                + "\(names.joined(separator: ", ")) in the folders of PATH",
            remedy: "install one (apt install chromium), or name its program: pinhole browser --browser PATH"
        )
    }

    private func browser(at path: String) throws(CommandFailure) -> Browser {
        guard let found = ExecutableSearch.path(of: path, environment) else {
            throw CommandFailure(.couldNotRun, "--browser: there is no program \(path) that may be run")
        }
        guard !Self.isConfined(found) else { throw Self.confinement(found) }
        let names = [found, Self.resolved(found)].map { ($0 as NSString).lastPathComponent }
        guard let family = names.compactMap(Browser.family).first else {
            let known = Browser.products.flatMap(\.executables).joined(separator: ", ")
            throw CommandFailure(
                .usage,
                "--browser: by its name it cannot be told what kind of browser \(path) is",
                remedy: "use a program or a link that is called \(known)"
            )
        }
        return Browser(family: family, path: found)
    }

    // MARK: snap

    /// Whether a program lives in snap's own view of the machine.
    ///
    /// There `/tmp` is another folder, and a home outside of /home is refused; so it would not see its profile. The
    /// command is a link to snap, or a script that starts the browser of snap.
    private static func isConfined(_ path: String) -> Bool {
        let resolved = resolved(path)
        guard !path.hasPrefix("/snap/"), !resolved.hasPrefix("/snap/"),
            (resolved as NSString).lastPathComponent != "snap"
        else { return true }
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        let start = (try? file.read(upToCount: 4096)) ?? Data()
        let text = String(decoding: start, as: UTF8.self)
        return text.hasPrefix("#!") && text.contains("/snap/bin/")
    }

    private static func confinement(_ path: String) -> CommandFailure {
        CommandFailure(
            .couldNotRun,
            "the browser \(path) is a snap: it sees another /tmp, and neither its profile nor the CA there",
            remedy: "install one from a package, or name its program: pinhole browser --browser PATH"
        )
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
}
