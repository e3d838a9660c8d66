Feature: The black cat
  The example of the documentation: the driver resource-driver.example.com publishes the pool black-cat-pool with the
  device large-black-cat, open to all nodes.

  Background:
    Given the fixture "black-cat"
    And a node "n1"
    And a node "n2"
    And a device class "resource.example.com" that selects
      """
      device.driver == "resource-driver.example.com"
      """

  @DRA/slice/black-cat-example @DRA/workflow/allocation-identifies-device
  Scenario Outline: A claim for a large black cat gets it on node <node> and can be used on both nodes
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

  @DRA/slice/black-cat-example
  Scenario: A claim for a device whose attribute cat is true gets the large black cat
    Given a claim "c" with the requests
      | request | class                | selector                                             |
      | req-0   | resource.example.com | device.attributes["resource-driver.example.com"].cat |
    When allocation of claim "c" is attempted
    Then claim "c" gets exactly
      | device          |
      | large-black-cat |

  @DRA/slice/black-cat-example
  Scenario: A claim for a device whose attribute cat is false gets nothing
    Given a claim "c" with the requests
      | request | class                | selector                                                      |
      | req-0   | resource.example.com | device.attributes["resource-driver.example.com"].cat == false |
    When allocation of claim "c" is attempted
    Then nothing fits because of SelectorNotMatched

  @DRA/slice/black-cat-example
  Scenario: A claim for a white cat gets nothing where the only cat is black
    Given a claim "c" with the requests
      | request | class                | selector                                                          |
      | req-0   | resource.example.com | device.attributes["resource-driver.example.com"].color == "white" |
    When allocation of claim "c" is attempted
    Then nothing fits because of SelectorNotMatched

  @DRA/slice/black-cat-example
  Scenario: A claim for two cats gets nothing where there is one
    Given a claim "c" requesting 2 devices of class "resource.example.com"
    When allocation of claim "c" is attempted
    Then nothing fits because of InsufficientDevices

  @DRA/slice/black-cat-example
  Scenario: A claim for the large black cat gets nothing on node n2 while another claim holds it
    Given claim "other" already holds
      | device          | driver                      | pool           |
      | large-black-cat | resource-driver.example.com | black-cat-pool |
    And a claim "c" requesting 1 device of class "resource.example.com"
    When allocation of claim "c" on node "n2" is attempted
    Then nothing fits because of DeviceInUse

  @DRA/slice/black-cat-example
  Scenario: A claim for all cats of one driver gets none of another driver with the same pool and device names
    Given the devices
      | device          | driver            | pool           | node | attribute color |
      | large-black-cat | other.example.com | black-cat-pool | n1   | string black    |
    And a claim "c" requesting all devices of class "resource.example.com"
    When allocation of claim "c" on node "n1" is attempted
    Then claim "c" gets exactly
      | driver                      | device          |
      | resource-driver.example.com | large-black-cat |
