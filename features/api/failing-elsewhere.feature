@profile:since-1.34
Feature: A selector or constraint that fails on one of two nodes
  An attempt to schedule a pod looks at one node after the other. A selector that reads an attribute fails on a device
  without it.

  Background:
    Given a node "n1"
    And a node "n2"
    And a pod "p" that uses ResourceClaim "c"

  Rule: The selector uses an attribute that only the device on node n2 has

    Background:
      Given the devices
        | device | node | pool | attribute model |
        | gpu-1  | n1   | n1   |                 |
        | gpu-2  | n2   | n2   | string a        |
      And a ResourceClaim "c" with the request
        | request | count | selector                                           |
        | r0      | 1     | device.attributes["dra.example.com"].model == "a" |

    @case:selector-fails-on-node
    @API/selector/failing-elsewhere @profile:kep
    Scenario: Reserve is not reached on a node whose device lacks the attribute in the selector
      When scheduling of pod "p" on node "n1" is attempted
      Then Reserve is not reached

    @case:selector-matches-on-node
    @API/selector/failing-elsewhere @profile:kep
    Scenario: Reserve succeeds on a node whose device matches the selector
      When scheduling of pod "p" on node "n2" is attempted
      Then Filter on node "n2" returns Success
      And Reserve on node "n2" returns Success

    @case:selector-error-ends-attempt
    @API/selector/failing-elsewhere
    Scenario: A selector error on one node ends the scheduling attempt even if another node would fit
      When scheduling of pod "p" is attempted
      Then Filter on node "n1" returns Error
      And PostFilter is not reached
      And Reserve is not reached

  Rule: A request for all devices with a matchAttribute that the devices of one node violate

    Background:
      Given the devices
        | device | node | pool | attribute model |
        | gpu-1  | n1   | n1   | string a        |
        | gpu-2  | n2   | n2   | string a        |
        | gpu-3  | n2   | n2   | string b        |
      And a ResourceClaim "c" requesting all devices
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/model"

    @case:all-constraint-error-ends-attempt
    @API/selector/failing-elsewhere
    Scenario: An allocationMode: All request that violates matchAttribute on one node ends the attempt
      When scheduling of pod "p" is attempted
      Then Filter on node "n2" returns Error
      And PostFilter is not reached
      And Reserve is not reached

    @case:all-constraint-holds-on-node
    @API/selector/failing-elsewhere @profile:kep
    Scenario: Reserve succeeds on a node whose devices all satisfy matchAttribute
      When scheduling of pod "p" on node "n1" is attempted
      Then Reserve on node "n1" returns Success

  @profile:since-1.36
  Rule: The DeviceClass selector uses an attribute that only one node's device has

    Background:
      Given a DeviceClass "gpu" for extended resource "example.com/gpu" with the selector
        """
        device.attributes["dra.example.com"].model == "a"
        """
      And a pod "q" that requests 1 of "example.com/gpu"

    @case:extended-resource-error-ends-attempt
    @API/selector/failing-elsewhere
    Scenario: A selector error of an extended-resource DeviceClass ends the scheduling attempt
      Given the devices
        | device | node | pool | attribute model |
        | gpu-1  | n1   | n1   | string a        |
        | gpu-2  | n2   | n2   |                 |
      When scheduling of pod "q" is attempted
      Then Filter on node "n2" returns Error
      And Reserve is not reached

    @case:extended-resource-pod-pending
    @API/selector/failing-elsewhere
    Scenario: A DeviceClass selector error on one node keeps the pod Pending although another node fits
      Given the devices
        | device | node | pool | attribute model |
        | gpu-1  | n1   | n1   |                 |
        | gpu-2  | n2   | n2   | string a        |
      When the cluster reaches a steady state
      Then pod "q" is Pending

    @case:extended-resource-node-fits
    @API/selector/failing-elsewhere @profile:kep
    Scenario: Reserve succeeds on a node whose device matches the extended-resource DeviceClass
      Given the devices
        | device | node | pool | attribute model |
        | gpu-1  | n1   | n1   | string a        |
        | gpu-2  | n2   | n2   |                 |
      When scheduling of pod "q" on node "n1" is attempted
      Then Reserve on node "n1" returns Success
