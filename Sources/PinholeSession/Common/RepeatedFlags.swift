/// The flags of a command line, for a message that shows the command with a change.
package enum RepeatedFlags {
    /// Returns the flags without one that has a value.
    ///
    /// - Parameters:
    ///   - name: The flag, such as `--capture`.
    ///   - flags: The flags.
    /// - Returns: The other flags with their values.
    package static func without(_ name: String, _ flags: [String]) -> [String] {
        var kept: [String] = []
        var isValue = false
        for flag in flags {
            if isValue {
                isValue = false
            } else if flag == name {
                isValue = true
            } else if !flag.hasPrefix("\(name)=") {
                kept.append(flag)
            }
        }
        return kept
    }

    /// Returns a URL without its login, since logs and pages keep what is shown; any other flag as it is.
    package static func withoutPassword(_ flag: String) -> String {
        guard let scheme = flag.firstRange(of: "://"), let at = flag.lastIndex(of: "@"),
            scheme.upperBound <= at
        else { return flag }
        return "\(flag[..<scheme.upperBound])USER:PASSWORD\(flag[at...])"
    }
}
