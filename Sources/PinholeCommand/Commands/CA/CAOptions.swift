import ArgumentParser

/// What every `ca` command takes.
struct CAOptions: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var authority: AuthorityOptions

    /// The part of the configuration that is about the authority.
    func load() throws(CommandFailure) -> Configuration.Authority {
        try configuration.load(authority).authority
    }
}
