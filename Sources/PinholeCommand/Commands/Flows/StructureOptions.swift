import ArgumentParser
import PinholeFormats

/// The options that say what else stays in a copy with tokens.
struct StructureOptions: ParsableArguments {
    @Option(
        help: .value(
            "name",
            "A name of a header, parameter, cookie or member that stays, however often it occurs; may be repeated."
        )
    )
    var keepName: [String] = []

    @Option(
        help: .value(
            "path",
            "A path whose segments stay, with * for a segment that does not; may be repeated."
        )
    )
    var keepPath: [String] = []

    @Flag(help: "Replace the names of hosts, too, everywhere; leave certificates out.")
    var hideHosts = false

    /// Whether one of the options was given.
    var isUsed: Bool { !keepName.isEmpty || !keepPath.isEmpty || hideHosts }

    /// The choices for the copy.
    var options: StructureRedaction.Options {
        var options = StructureRedaction.Options()
        options.names = keepName
        options.paths = keepPath
        options.hidesHosts = hideHosts
        return options
    }

    /// The lines of a report about what the options changed.
    var widened: [String] {
        var lines: [String] = []
        if !keepName.isEmpty { lines.append("kept by --keep-name: " + keepName.joined(separator: ", ")) }
        if !keepPath.isEmpty { lines.append("kept by --keep-path: " + keepPath.joined(separator: ", ")) }
        if hideHosts { lines.append("hidden by --hide-hosts: names of hosts, and all certificates") }
        return lines
    }
}
