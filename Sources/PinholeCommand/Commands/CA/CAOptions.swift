import ArgumentParser
import PinholeSession

/// The options of every `ca` command.
struct CAOptions: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var authority: AuthorityOptions

    /// Returns the authority's part of the configuration.
    ///
    /// - Parameter isToTrust: Whether clients will trust the CA, which then was made here, confirmed or named by the flag.
    /// - Returns: The part.
    /// - Throws: ``CommandFailure`` if the configuration cannot be used, or the CA is not confirmed.
    func load(toTrust isToTrust: Bool = false) throws(CommandFailure) -> Configuration.Authority {
        try configuration.load(authority, toTrust: isToTrust).authority
    }
}
