import ArgumentParser
import PinholeSession

/// The options of every `ca` command.
struct CAOptions: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var authority: AuthorityOptions

    /// Returns the authority's part of the configuration.
    func load() throws(CommandFailure) -> Configuration.Authority {
        try configuration.load(authority).authority
    }
}
