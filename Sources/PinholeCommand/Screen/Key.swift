/// A key that a user pressed in a terminal, or a text that was pasted.
enum Key: Equatable, Sendable {
    /// A key that writes a character.
    case character(Character)
    /// A letter with the control key: `c` for ^C.
    case control(Character)
    /// Text from the clipboard, which is no command.
    case pasted(String)
    case enter
    case escape
    case tab
    case backTab
    case backspace
    case delete
    case up
    case down
    case left
    case right
    case pageUp
    case pageDown
    case home
    case end
}
