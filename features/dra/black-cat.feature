Feature: Example ResourceSlice in the DRA docs
  The example of the DRA page: the driver resource-driver.example.com publishes the pool black-cat-pool with the
  device large-black-cat, which all nodes can access.

  Background:
    Given the fixture "black-cat"
    And a node "n1"
    And a node "n2"
    And a DeviceClass "resource.example.com" with the selector
      """
      device.driver == "resource-driver.example.com"
      """

  @case:allocated-and-usable-on-all-nodes
  @DRA/slice/black-cat-example @DRA/workflow/allocation-identifies-device
  Scenario Outline: The device of the example ResourceSlice in the DRA docs can be used on all nodes
    Given a ResourceClaim "c" with the requests
      | request | deviceClassName      | selector                                                                                                                              |
      | req-0   | resource.example.com | device.attributes["resource-driver.example.com"].color == "black" && device.attributes["resource-driver.example.com"].size == "large" |
    When allocation of ResourceClaim "c" on node "<node>" is attempted
    Then ResourceClaim "c" is allocated exactly
      | request | driver                      | pool           | device          |
      | req-0   | resource-driver.example.com | black-cat-pool | large-black-cat |
    And ResourceClaim "c" is available only on nodes "n1, n2"

    Examples:
      | node |
      | n1   |
      | n2   |

  @case:boolean-attribute-true
  @DRA/slice/black-cat-example
  Scenario: A selector on a boolean attribute selects a device whose attribute is true
    Given a ResourceClaim "c" with the requests
      | request | deviceClassName      | selector                                             |
      | req-0   | resource.example.com | device.attributes["resource-driver.example.com"].cat |
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" is allocated exactly
      | device          |
      | large-black-cat |

  @case:boolean-attribute-false
  @DRA/slice/black-cat-example
  Scenario: A selector that expects false does not select a device whose attribute is true
    Given a ResourceClaim "c" with the requests
      | request | deviceClassName      | selector                                                      |
      | req-0   | resource.example.com | device.attributes["resource-driver.example.com"].cat == false |
    When allocation of ResourceClaim "c" is attempted
    Then no allocation is possible because of SelectorNotMatched

  @case:color-not-matched
  @DRA/slice/black-cat-example
  Scenario: A selector for color white does not select a device with color black
    Given a ResourceClaim "c" with the requests
      | request | deviceClassName      | selector                                                          |
      | req-0   | resource.example.com | device.attributes["resource-driver.example.com"].color == "white" |
    When allocation of ResourceClaim "c" is attempted
    Then no allocation is possible because of SelectorNotMatched

  @case:count-exceeds-pool
  @DRA/allocation-mode/exact-count
  Scenario: A request for two devices is not allocated from a pool with one device
    Given a ResourceClaim "c" requesting 2 devices of class "resource.example.com"
    When allocation of ResourceClaim "c" is attempted
    Then no allocation is possible because of InsufficientDevices

  @case:in-use-on-every-node
  @DRA/claim/exclusive-between-claims
  Scenario: A device that all nodes can access is not available while another ResourceClaim uses it
    Given ResourceClaim "other" is already allocated
      | device          | driver                      | pool           |
      | large-black-cat | resource-driver.example.com | black-cat-pool |
    And a ResourceClaim "c" requesting 1 device of class "resource.example.com"
    When allocation of ResourceClaim "c" on node "n2" is attempted
    Then no allocation is possible because of DeviceInUse

  @case:same-names-under-other-driver
  @DRA/pool/identity-by-driver-and-name
  Scenario: A DeviceClass for one driver does not select another driver's device of the same name
    Given the devices
      | device          | driver            | pool           | node | attribute color |
      | large-black-cat | other.example.com | black-cat-pool | n1   | string black    |
    And a ResourceClaim "c" requesting all devices of class "resource.example.com"
    When allocation of ResourceClaim "c" on node "n1" is attempted
    Then ResourceClaim "c" is allocated exactly
      | driver                      | device          |
      | resource-driver.example.com | large-black-cat |
