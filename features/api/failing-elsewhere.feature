@profile:since-1.34
Feature: A selector that fails on the devices of one node
  An attempt to schedule a pod looks at one node after the other. A selector that reads an attribute fails on a device
  without it.

  Background:
    Given a node "n1"
    And a node "n2"
    And a pod "p" that uses claim "c"

  Rule: One device a node, and only that of n2 has a model

    Background:
      Given the devices
        | device | node | pool | attribute model |
        | gpu-1  | n1   | n1   |                 |
        | gpu-2  | n2   | n2   | string a        |
      And a claim "c" with the request
        | request | count | selector                                           |
        | r0      | 1     | device.attributes["dra.example.com"].model == "a" |

    @API/selector/failing-elsewhere @profile:kep
    Scenario: The node where it fails is lost
      When pod "p" is tried on node "n1"
      Then Reserve is not reached

    @API/selector/failing-elsewhere @profile:kep
    Scenario: The node where it is true fits
      When pod "p" is tried on node "n2"
      Then Filter on node "n2" ends with Success
      And Reserve on node "n2" ends with Success

    @API/selector/failing-elsewhere
    Scenario: Releases end the attempt, although the other node fits
      When pod "p" is tried
      Then Filter on node "n1" ends with Error
      And PostFilter is not reached
      And Reserve is not reached

  Rule: A claim for all devices of a node, which must be of one model

    Background:
      Given the devices
        | device | node | pool | attribute model |
        | gpu-1  | n1   | n1   | string a        |
        | gpu-2  | n2   | n2   | string a        |
        | gpu-3  | n2   | n2   | string b        |
      And a claim "c" requesting all devices
      And claim "c" needs matching "dra.example.com/model"

    @API/selector/failing-elsewhere
    Scenario: Two models on one node end the attempt, although the other node fits
      When pod "p" is tried
      Then Filter on node "n2" ends with Error
      And PostFilter is not reached
      And Reserve is not reached

    @API/selector/failing-elsewhere @profile:kep
    Scenario: The node with one model fits
      When pod "p" is tried on node "n1"
      Then Reserve on node "n1" ends with Success

  @profile:since-1.36
  Rule: A class that serves an extended resource, and only the device of one node has the model that it reads

    Background:
      Given a device class "gpu" for "example.com/gpu" that selects
        """
        device.attributes["dra.example.com"].model == "a"
        """
      And a pod "q" that requests 1 of "example.com/gpu"

    @API/selector/failing-elsewhere
    Scenario: The claim for extended resources ends the attempt in an error as well
      Given the devices
        | device | node | pool | attribute model |
        | gpu-1  | n1   | n1   | string a        |
        | gpu-2  | n2   | n2   |                 |
      When pod "q" is tried
      Then Filter on node "n2" ends with Error
      And Reserve is not reached

    @API/selector/failing-elsewhere
    Scenario: The pod stays pending for the device of n1, although that of n2 fits
      Given the devices
        | device | node | pool | attribute model |
        | gpu-1  | n1   | n1   |                 |
        | gpu-2  | n2   | n2   | string a        |
      When the cluster settles
      Then pod "q" is pending

    @API/selector/failing-elsewhere @profile:kep
    Scenario: The node where the class selects the device fits
      Given the devices
        | device | node | pool | attribute model |
        | gpu-1  | n1   | n1   | string a        |
        | gpu-2  | n2   | n2   |                 |
      When pod "q" is tried on node "n1"
      Then Reserve on node "n1" ends with Success
