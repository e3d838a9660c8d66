Feature: ResourceSlice example of the DRA page
  The example of the DRA page: the driver resource-driver.example.com publishes the pool black-cat-pool with the
  device large-black-cat, which all nodes can access.

  Background:
    Given the fixture "black-cat"
    And a node "n1"
    And a node "n2"
    And a device class "resource.example.com" that selects
      """
      device.driver == "resource-driver.example.com"
      """

  @case:allocated-and-usable-on-all-nodes
  @DRA/slice/black-cat-example @DRA/workflow/allocation-identifies-device
  Scenario Outline: The device of the example ResourceSlice can be allocated and used on all nodes
    Given a claim "c" with the requests
      | request | class                | selector                                                                                                                              |
      | req-0   | resource.example.com | device.attributes["resource-driver.example.com"].color == "black" && device.attributes["resource-driver.example.com"].size == "large" |
    When allocation of claim "c" on node "<node>" is attempted
    Then claim "c" gets exactly
      | request | driver                      | pool           | device          |
      | req-0   | resource-driver.example.com | black-cat-pool | large-black-cat |
    And claim "c" can be used on nodes "n1, n2" only

    Examples:
      | node |
      | n1   |
      | n2   |

  @case:boolean-attribute-true
  @DRA/slice/black-cat-example
  Scenario: A selector on a boolean attribute selects a device whose attribute is true
    Given a claim "c" with the requests
      | request | class                | selector                                             |
      | req-0   | resource.example.com | device.attributes["resource-driver.example.com"].cat |
    When allocation of claim "c" is attempted
    Then claim "c" gets exactly
      | device          |
      | large-black-cat |

  @case:boolean-attribute-false
  @DRA/slice/black-cat-example
  Scenario: A selector that expects false does not select a device whose attribute is true
    Given a claim "c" with the requests
      | request | class                | selector                                                      |
      | req-0   | resource.example.com | device.attributes["resource-driver.example.com"].cat == false |
    When allocation of claim "c" is attempted
    Then nothing fits because of SelectorNotMatched

  @case:color-not-matched
  @DRA/slice/black-cat-example
  Scenario: A selector for color white does not select the black device of the example
    Given a claim "c" with the requests
      | request | class                | selector                                                          |
      | req-0   | resource.example.com | device.attributes["resource-driver.example.com"].color == "white" |
    When allocation of claim "c" is attempted
    Then nothing fits because of SelectorNotMatched

  @case:count-exceeds-pool
  @DRA/slice/black-cat-example
  Scenario: A request for two devices is not allocated from a pool with one device
    Given a claim "c" requesting 2 devices of class "resource.example.com"
    When allocation of claim "c" is attempted
    Then nothing fits because of InsufficientDevices

  @case:in-use-on-every-node
  @DRA/slice/black-cat-example
  Scenario: A device that all nodes can access is not available while another ResourceClaim uses it
    Given claim "other" already holds
      | device          | driver                      | pool           |
      | large-black-cat | resource-driver.example.com | black-cat-pool |
    And a claim "c" requesting 1 device of class "resource.example.com"
    When allocation of claim "c" on node "n2" is attempted
    Then nothing fits because of DeviceInUse

  @case:same-names-under-other-driver
  @DRA/slice/black-cat-example
  Scenario: A device of another driver with the same pool and device name is not selected
    Given the devices
      | device          | driver            | pool           | node | attribute color |
      | large-black-cat | other.example.com | black-cat-pool | n1   | string black    |
    And a claim "c" requesting all devices of class "resource.example.com"
    When allocation of claim "c" on node "n1" is attempted
    Then claim "c" gets exactly
      | driver                      | device          |
      | resource-driver.example.com | large-black-cat |
