@profile:since-1.34
Feature: A selector or constraint that fails on one of two nodes
  An attempt to schedule a pod looks at one node after the other. A selector that reads an attribute fails on a device
  without it.

  Background:
    Given a node "n1"
    And a node "n2"
    And a pod "p" that uses claim "c"

  Rule: A selector fails on n1 because only the device of n2 has the attribute

    Background:
      Given the devices
        | device | node | pool | attribute model |
        | gpu-1  | n1   | n1   |                 |
        | gpu-2  | n2   | n2   | string a        |
      And a claim "c" with the request
        | request | count | selector                                           |
        | r0      | 1     | device.attributes["dra.example.com"].model == "a" |

    @case:selector-fails-on-node
    @API/selector/failing-elsewhere @profile:kep
    Scenario: A node whose device makes the selector fail cannot be reserved
      When pod "p" is tried on node "n1"
      Then Reserve is not reached

    @case:selector-matches-on-node
    @API/selector/failing-elsewhere @profile:kep
    Scenario: A node whose device matches the selector is reserved
      When pod "p" is tried on node "n2"
      Then Filter on node "n2" ends with Success
      And Reserve on node "n2" ends with Success

    @case:selector-error-ends-attempt
    @API/selector/failing-elsewhere
    Scenario: A selector error on one node ends the attempt in releases although another node fits
      When pod "p" is tried
      Then Filter on node "n1" ends with Error
      And PostFilter is not reached
      And Reserve is not reached

  Rule: All devices of a node must have the same model

    Background:
      Given the devices
        | device | node | pool | attribute model |
        | gpu-1  | n1   | n1   | string a        |
        | gpu-2  | n2   | n2   | string a        |
        | gpu-3  | n2   | n2   | string b        |
      And a claim "c" requesting all devices
      And claim "c" needs matching "dra.example.com/model"

    @case:all-constraint-error-ends-attempt
    @API/selector/failing-elsewhere
    Scenario: A constraint that all devices of one node break ends the attempt in releases
      When pod "p" is tried
      Then Filter on node "n2" ends with Error
      And PostFilter is not reached
      And Reserve is not reached

    @case:all-constraint-holds-on-node
    @API/selector/failing-elsewhere @profile:kep
    Scenario: A node whose devices all have the same model is reserved
      When pod "p" is tried on node "n1"
      Then Reserve on node "n1" ends with Success

  @profile:since-1.36
  Rule: A DeviceClass that backs an extended resource reads an attribute of one node's device

    Background:
      Given a device class "gpu" for "example.com/gpu" that selects
        """
        device.attributes["dra.example.com"].model == "a"
        """
      And a pod "q" that requests 1 of "example.com/gpu"

    @case:extended-resource-error-ends-attempt
    @API/selector/failing-elsewhere
    Scenario: A selector error of an extended-resource claim ends the attempt
      Given the devices
        | device | node | pool | attribute model |
        | gpu-1  | n1   | n1   | string a        |
        | gpu-2  | n2   | n2   |                 |
      When pod "q" is tried
      Then Filter on node "n2" ends with Error
      And Reserve is not reached

    @case:extended-resource-pod-pending
    @API/selector/failing-elsewhere
    Scenario: A pod stays Pending if the DeviceClass selector fails on one node and another fits
      Given the devices
        | device | node | pool | attribute model |
        | gpu-1  | n1   | n1   |                 |
        | gpu-2  | n2   | n2   | string a        |
      When the cluster settles
      Then pod "q" is pending

    @case:extended-resource-node-fits
    @API/selector/failing-elsewhere @profile:kep
    Scenario: A node whose device matches the DeviceClass is reserved for the extended resource
      Given the devices
        | device | node | pool | attribute model |
        | gpu-1  | n1   | n1   | string a        |
        | gpu-2  | n2   | n2   |                 |
      When pod "q" is tried on node "n1"
      Then Reserve on node "n1" ends with Success
