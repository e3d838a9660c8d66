Feature: What the API server says of a write

  Background:
    Given a claim "c" requesting 1 device

  @case:outcome
  @KEP-5517/policy/max
  Scenario Outline: The claim <what>
    When the ResourceClaim "c" is created
    Then it <what>

    Examples:
      | what                           |
      | is stored with a warning       |
      | is stored without warnings     |
      | is stored with the warning "x" |

  @case:version
  @KEP-5517/policy/max
  Scenario: Its version is not served
    When the ResourceClaim "c" is created
    Then its version is not served
